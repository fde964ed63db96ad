public import BluetoothWire

/// SFLOAT: `mantissa × 10^exponent` in 16 bits (IEEE 11073-20601 medfloat16).
///
/// Two octets, least significant first: exponent in bits 12-15 (-8...7), mantissa in bits 0-11 (-2048...2047).
/// A special value is told by the whole word: 0xF7FF is 204.7, only 0x07FF is NaN.
public struct MedicalFloat16: Hashable, Sendable {
  /// The word as it stood on the wire; equal numbers may have different words.
  public var word: UInt16

  @inlinable public init(word: UInt16) { self.word = word }

  /// The word for a number, or nil where mantissa or exponent do not fit or the word would be a special value.
  public init?(mantissa: Int, exponent: Int) {
    guard (-2048...2047).contains(mantissa), (-8...7).contains(exponent) else { return nil }
    word = UInt16(truncatingIfNeeded: exponent) << 12 | UInt16(truncatingIfNeeded: mantissa) & 0x0FFF
    if special != nil { return nil }
  }

  public init(decoding bytes: RawSpan) throws(WireError) {
    guard bytes.byteCount >= 2 else {
      throw WireError(.characteristic, offset: 0, needed: 2, available: bytes.byteCount)
    }
    word = bytes.u16(at: 0)
  }

  /// Not a number.
  public static let notANumber = MedicalFloat16(word: 0x07FF)

  /// What the word means where it is no number.
  public var special: MedicalFloatSpecial? {
    switch word {
    case 0x07FF: .notANumber
    case 0x0800: .notAtThisResolution
    case 0x07FE: .positiveInfinity
    case 0x0802: .negativeInfinity
    case 0x0801: .reserved
    default: nil
    }
  }

  /// The signed 12-bit mantissa.
  public var mantissa: Int { Int(Int16(bitPattern: word << 4) >> 4) }

  /// The signed 4-bit power of ten.
  public var exponent: Int { Int(Int16(bitPattern: word) >> 12) }

  /// The number without loss, or nil for a special value.
  public var decimal: ExactDecimal? {
    special == nil ? ExactDecimal(mantissa: Int64(mantissa), exponent: exponent) : nil
  }

  /// The nearest binary number, or nil for a special value.
  public var value: Double? { decimal?.value }

  /// Exact decimal text of the number times `10^scale`, or the name of the special value.
  ///
  /// 0xB07B in kg/L, scaled by 5, is `123` mg/dL.
  public func decimalText(scaledBy10ToThe scale: Int = 0) -> String {
    if let special { return special.rawValue }
    return ExactDecimal(mantissa: Int64(mantissa), exponent: exponent).text(scaledBy10ToThe: scale)
  }

  /// Two octets, least significant first.
  public var octets: [UInt8] { [UInt8(truncatingIfNeeded: word), UInt8(truncatingIfNeeded: word >> 8)] }
}

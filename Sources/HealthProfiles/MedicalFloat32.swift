public import BluetoothWire

/// FLOAT: `mantissa × 10^exponent` in 32 bits (IEEE 11073-20601 medfloat32).
///
/// Four octets, least significant first: mantissa in bits 0-23, exponent in bits 24-31, both signed.
public struct MedicalFloat32: Hashable, Sendable {
  /// The word as it stood on the wire; equal numbers may have different words.
  public var word: UInt32

  public init(word: UInt32) { self.word = word }

  /// The word for a number, or nil where mantissa or exponent do not fit or the word would be a special value.
  public init?(mantissa: Int, exponent: Int) {
    guard (-8_388_608...8_388_607).contains(mantissa), (-128...127).contains(exponent) else { return nil }
    word = UInt32(truncatingIfNeeded: exponent) << 24 | UInt32(truncatingIfNeeded: mantissa) & 0xFF_FFFF
    if special != nil { return nil }
  }

  public init(decoding bytes: RawSpan) throws(WireError) {
    guard bytes.byteCount >= 4 else {
      throw WireError(.characteristic, offset: 0, needed: 4, available: bytes.byteCount)
    }
    word = bytes.u32(at: 0)
  }

  /// What the word means where it is no number.
  public var special: MedicalFloatSpecial? {
    switch word {
    case 0x007F_FFFF: .notANumber
    case 0x0080_0000: .notAtThisResolution
    case 0x007F_FFFE: .positiveInfinity
    case 0x0080_0002: .negativeInfinity
    case 0x0080_0001: .reserved
    default: nil
    }
  }

  /// The signed 24-bit mantissa.
  public var mantissa: Int { Int(Int32(bitPattern: word << 8) >> 8) }

  /// The signed 8-bit power of ten.
  public var exponent: Int { Int(Int32(bitPattern: word) >> 24) }

  /// The number without loss, or nil for a special value.
  public var decimal: ExactDecimal? {
    special == nil ? ExactDecimal(mantissa: Int64(mantissa), exponent: exponent) : nil
  }

  /// The nearest binary number, or nil for a special value.
  public var value: Double? { decimal?.value }

  /// Exact decimal text of the number times `10^scale`, or the name of the special value.
  public func decimalText(scaledBy10ToThe scale: Int = 0) -> String {
    if let special { return special.rawValue }
    return ExactDecimal(mantissa: Int64(mantissa), exponent: exponent).text(scaledBy10ToThe: scale)
  }

  /// Four octets, least significant first.
  public var octets: [UInt8] {
    var writer = ByteWriter()
    writer.u32(word)
    return writer.octets
  }
}

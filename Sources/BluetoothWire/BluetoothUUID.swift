/// The type of an attribute: 128 bits, usually written with the 16 that differ from the Bluetooth base.
public struct BluetoothUUID: Hashable, Sendable {
  /// All 128 bits, most significant octet of the printed form highest.
  public var value: UInt128

  /// `0000xxxx-0000-1000-8000-00805F9B34FB` (Core Vol 3 Part B 2.5.1).
  public static let base: UInt128 = UInt128(0x0000_0000_0000_1000) << 64 | UInt128(0x8000_0080_5F9B_34FB)

  public init(value: UInt128) { self.value = value }

  /// A UUID assigned by the Bluetooth SIG.
  public init(_ short: UInt16) { value = Self.base | UInt128(short) << 96 }

  /// Two or sixteen octets, least significant first, at `offset`, which the caller has checked; nil for another count.
  public init?(_ bytes: RawSpan, at offset: Int, count: Int) {
    switch count {
    case 2: self.init(bytes.u16(at: offset))
    case 16: self.init(value: UInt128(bytes.u64(at: offset + 8)) << 64 | UInt128(bytes.u64(at: offset)))
    default: return nil
    }
  }

  /// The 16 bits of a SIG-assigned UUID, or nil.
  public var short: UInt16? {
    let rest: UInt128 = value & ~(UInt128(0xFFFF) << 96)
    return rest == Self.base ? UInt16(truncatingIfNeeded: value >> 96) : nil
  }

  /// Two octets for a SIG-assigned UUID, else sixteen, least significant first.
  public var octets: [UInt8] {
    if let short { return [UInt8(truncatingIfNeeded: short), UInt8(truncatingIfNeeded: short >> 8)] }
    return (0..<16).map { UInt8(truncatingIfNeeded: value >> (8 * UInt128($0))) }
  }
}

extension BluetoothUUID: CustomStringConvertible {
  /// `2A18`, or the long form with dashes.
  public var description: String {
    if let short { return hex(UInt64(short), digits: 4) }
    let high = UInt64(truncatingIfNeeded: value >> 64)
    let low = UInt64(truncatingIfNeeded: value)
    return hex(high >> 32, digits: 8) + "-" + hex(high >> 16 & 0xFFFF, digits: 4) + "-"
      + hex(high & 0xFFFF, digits: 4) + "-" + hex(low >> 48, digits: 4) + "-"
      + hex(low & 0xFFFF_FFFF_FFFF, digits: 12)
  }

  /// Reads `2A18`, `0x2A18` or the long form; nil where the text is no UUID.
  public init?(text: String) {
    let digits = text.filter { $0 != "-" }
    let bare = digits.hasPrefix("0x") ? String(digits.dropFirst(2)) : digits
    if bare.utf8.count == 4, let short = UInt16(bare, radix: 16) {
      self.init(short)
    } else if bare.utf8.count == 32, let value = UInt128(bare, radix: 16) {
      self.init(value: value)
    } else {
      return nil
    }
  }
}

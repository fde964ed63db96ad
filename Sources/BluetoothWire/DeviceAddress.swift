/// A Bluetooth device address: 48 bits and whether they are public or random.
///
/// On the wire six octets, least significant first; printed most significant first (Core Vol 6 Part B 1.3).
public struct DeviceAddress: Hashable, Sendable {
  /// The 48 bits, most significant octet of the printed form highest.
  public var value: UInt64
  /// True for a random address: static, resolvable or non-resolvable.
  public var isRandom: Bool

  public init(value: UInt64, isRandom: Bool) {
    self.value = value & 0xFFFF_FFFF_FFFF
    self.isRandom = isRandom
  }

  /// Six octets as they stand on the wire, at `offset`, which the caller has checked.
  @inlinable public init(_ bytes: RawSpan, at offset: Int, isRandom: Bool) {
    self.value = UInt64(bytes.u32(at: offset)) | UInt64(bytes.u16(at: offset + 4)) << 32
    self.isRandom = isRandom
  }

  /// Reads the printed form `F0:0D:CA:FE:00:01`; nil where the text is no address.
  public init?(text: String, isRandom: Bool = false) {
    var value: UInt64 = 0
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 6 else { return nil }
    for part in parts {
      guard part.utf8.count == 2, let octet = UInt8(part, radix: 16) else { return nil }
      value = value << 8 | UInt64(octet)
    }
    self.init(value: value, isRandom: isRandom)
  }

  /// What kind of address the two top bits and the type say it is.
  public var kind: Kind {
    guard isRandom else { return .public }
    switch value >> 46 {
    case 0b11: return .randomStatic
    case 0b01: return .resolvablePrivate
    case 0b00: return .nonResolvablePrivate
    default: return .randomReserved
    }
  }

  /// The kinds of address (Core Vol 6 Part B 1.3).
  public enum Kind: String, Sendable {
    case `public` = "public"
    case randomStatic = "random static"
    case resolvablePrivate = "resolvable private"
    case nonResolvablePrivate = "non-resolvable private"
    case randomReserved = "random, reserved form"
  }

  /// The six octets as they stand on the wire, least significant first.
  public var octets: [UInt8] { (0..<6).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) } }
}

extension DeviceAddress: CustomStringConvertible {
  /// `F0:0D:CA:FE:00:01`.
  public var description: String {
    let digits: [Character] = Array("0123456789ABCDEF")
    var text = ""
    for index in stride(from: 5, through: 0, by: -1) {
      let octet = Int(truncatingIfNeeded: value >> (8 * UInt64(index))) & 0xFF
      text.append(digits[octet >> 4])
      text.append(digits[octet & 15])
      if index > 0 { text.append(":") }
    }
    return text
  }
}

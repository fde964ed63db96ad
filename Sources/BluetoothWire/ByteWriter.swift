/// Builds a PDU octet by octet, least significant octet first.
public struct ByteWriter: Sendable {
  /// What has been written.
  public private(set) var octets: [UInt8] = []

  public init() {}

  public init(_ octets: [UInt8]) { self.octets = octets }

  public mutating func u8(_ value: UInt8) { octets.append(value) }

  public mutating func u16(_ value: UInt16) {
    octets.append(UInt8(truncatingIfNeeded: value))
    octets.append(UInt8(truncatingIfNeeded: value >> 8))
  }

  public mutating func u24(_ value: UInt32) {
    u16(UInt16(truncatingIfNeeded: value))
    u8(UInt8(truncatingIfNeeded: value >> 16))
  }

  public mutating func u32(_ value: UInt32) {
    u16(UInt16(truncatingIfNeeded: value))
    u16(UInt16(truncatingIfNeeded: value >> 16))
  }

  public mutating func u64(_ value: UInt64) {
    u32(UInt32(truncatingIfNeeded: value))
    u32(UInt32(truncatingIfNeeded: value >> 32))
  }

  public mutating func append(_ more: [UInt8]) { octets.append(contentsOf: more) }
}

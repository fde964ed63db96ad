public import BluetoothWire

/// System ID: eight octets that name one device (DIS, 0x2A23).
///
/// Manufacturer-defined identifier in the first five octets, organizationally unique identifier in the last three, each
/// least significant octet first.
public struct SystemID: Hashable, Sendable {
  /// 40 bits.
  public var manufacturerIdentifier: UInt64
  /// 24 bits.
  public var organization: UInt32

  public init(manufacturerIdentifier: UInt64, organization: UInt32) {
    self.manufacturerIdentifier = manufacturerIdentifier & 0xFF_FFFF_FFFF
    self.organization = organization & 0xFF_FFFF
  }

  /// Eight octets; octets after them are ignored.
  public init(decoding bytes: RawSpan) throws(WireError) {
    guard bytes.byteCount >= 8 else {
      throw WireError(.characteristic, offset: 0, needed: 8, available: bytes.byteCount)
    }
    let value = bytes.u64(at: 0)
    self.init(manufacturerIdentifier: value, organization: UInt32(truncatingIfNeeded: value >> 40))
  }

  public var octets: [UInt8] {
    var writer = ByteWriter()
    writer.u64(manufacturerIdentifier & 0xFF_FFFF_FFFF | UInt64(organization) << 40)
    return writer.octets
  }
}

extension SystemID: CustomStringConvertible {
  /// `AABBCC-0102030405`: organization, then the manufacturer's identifier.
  public var description: String {
    hex(UInt64(organization), digits: 6) + "-" + hex(manufacturerIdentifier, digits: 10)
  }
}

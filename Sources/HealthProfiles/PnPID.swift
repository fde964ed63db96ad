public import BluetoothWire

/// PnP ID: vendor, product and version of a device, seven octets (DIS, 0x2A50).
public struct PnPID: Hashable, Sendable {
  /// Who numbers the vendors: 1 Bluetooth SIG, 2 USB Implementers Forum.
  public var source: UInt8
  public var vendor: UInt16
  public var product: UInt16
  public var version: UInt16

  public init(source: UInt8, vendor: UInt16, product: UInt16, version: UInt16) {
    self.source = source
    self.vendor = vendor
    self.product = product
    self.version = version
  }

  /// Seven octets; octets after them are ignored.
  public init(decoding bytes: RawSpan) throws(WireError) {
    guard bytes.byteCount >= 7 else {
      throw WireError(.characteristic, offset: 0, needed: 7, available: bytes.byteCount)
    }
    self.init(
      source: bytes.u8(at: 0),
      vendor: bytes.u16(at: 1),
      product: bytes.u16(at: 3),
      version: bytes.u16(at: 5)
    )
  }

  public var octets: [UInt8] {
    var writer = ByteWriter()
    writer.u8(source)
    writer.u16(vendor)
    writer.u16(product)
    writer.u16(version)
    return writer.octets
  }

  /// Plain words for the source.
  public var sourceName: String {
    switch source {
    case 1: "Bluetooth SIG"
    case 2: "USB Implementers Forum"
    default: "reserved value \(source)"
    }
  }
}

extension PnPID: CustomStringConvertible {
  /// `vendor 0x0123 (Bluetooth SIG), product 0x4567, version 0x0100`.
  public var description: String {
    "vendor 0x" + hex(UInt64(vendor), digits: 4) + " (" + sourceName + "), product 0x"
      + hex(UInt64(product), digits: 4) + ", version 0x" + hex(UInt64(version), digits: 4)
  }
}

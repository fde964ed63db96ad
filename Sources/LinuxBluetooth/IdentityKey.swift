public import BluetoothWire

/// An identity resolving key as the management interface gives and takes it; secret, and never printed.
public struct IdentityKey: Sendable, Hashable {
  /// The peer's identity address.
  public var address: DeviceAddress
  /// Sixteen octets.
  public var value: [UInt8]

  static let length = 23

  public init(address: DeviceAddress, value: [UInt8]) {
    self.address = address
    self.value = value
  }

  /// Reads `address[6] · type u8 · key[16]`.
  public init?(octets: [UInt8]) {
    guard let fields = ManagementFields(octets, exactly: Self.length), let address = fields.address(0) else {
      return nil
    }
    self.init(address: address, value: fields.part(7, 16))
  }

  /// The structure of the management interface.
  public var octets: [UInt8] {
    var writer = ByteWriter()
    writer.managementAddress(address)
    writer.append((0..<16).map { value.indices.contains($0) ? value[$0] : 0 })
    return writer.octets
  }
}

extension IdentityKey: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String { "identity key of \(address)" }
  public var debugDescription: String { description }
}

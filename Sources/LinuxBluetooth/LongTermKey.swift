public import BluetoothWire

/// A long-term key as the management interface gives and takes it; secret, and never printed.
public struct LongTermKey: Sendable, Hashable {
  /// The peer's identity address.
  public var address: DeviceAddress
  /// 0 and 1 legacy, unauthenticated and authenticated; 2 and 3 the same of Secure Connections; 4 a debug key.
  public var type: UInt8
  /// Legacy pairing: true for the key of the link's central. False for Secure Connections, whose key serves both.
  public var isCentral: Bool
  /// Octets of the key that count, 7 to 16.
  public var size: UInt8
  public var diversifier: UInt16
  public var random: UInt64
  /// Sixteen octets.
  public var value: [UInt8]

  static let length = 36

  public init(
    address: DeviceAddress,
    type: UInt8,
    isCentral: Bool,
    size: UInt8,
    diversifier: UInt16,
    random: UInt64,
    value: [UInt8]
  ) {
    self.address = address
    self.type = type
    self.isCentral = isCentral
    self.size = size
    self.diversifier = diversifier
    self.random = random
    self.value = value
  }

  /// Reads `address[6] · type u8 · key type u8 · central u8 · size u8 · EDIV u16 · random u64 · key[16]`.
  public init?(octets: [UInt8]) {
    guard let fields = ManagementFields(octets, exactly: Self.length), let address = fields.address(0) else {
      return nil
    }
    self.init(
      address: address,
      type: fields.u8(7),
      isCentral: fields.u8(8) == 1,
      size: fields.u8(9),
      diversifier: fields.u16(10),
      random: fields.u64(12),
      value: fields.part(20, 16)
    )
  }

  /// The structure of the management interface.
  public var octets: [UInt8] {
    var writer = ByteWriter()
    writer.managementAddress(address)
    writer.u8(type)
    writer.u8(isCentral ? 1 : 0)
    writer.u8(size)
    writer.u16(diversifier)
    writer.u64(random)
    writer.append((0..<16).map { value.indices.contains($0) ? value[$0] : 0 })
    return writer.octets
  }

  /// True for a key whose pairing proved who the peer is: by passkey or comparison.
  public var isAuthenticated: Bool { type == 1 || type == 3 }
}

extension LongTermKey: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String { "key of \(address)" }
  public var debugDescription: String { description }
}

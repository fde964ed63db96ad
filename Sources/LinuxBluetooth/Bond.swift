public import BluetoothWire

/// What pairing with one meter left behind, as the adapter is given it again.
public struct Bond: Sendable, Equatable {
  /// The meter's identity address.
  public var address: DeviceAddress
  /// One of Secure Connections, or up to two of legacy pairing.
  public var longTermKeys: [LongTermKey]
  /// Nil where the meter keeps one address.
  public var identityKey: IdentityKey?

  public init(address: DeviceAddress, longTermKeys: [LongTermKey], identityKey: IdentityKey? = nil) {
    self.address = address
    self.longTermKeys = longTermKeys
    self.identityKey = identityKey
  }
}

/// Where bonds are kept between runs.
public protocol BondKeeping {
  /// Every bond there is.
  func bonds() throws -> [Bond]
  /// Keeps a bond in the place of an older one of the same address, durably.
  mutating func keep(_ bond: Bond) throws
  /// Forgets the bond of an address; nothing happens where there is none.
  mutating func forget(_ address: DeviceAddress) throws
}

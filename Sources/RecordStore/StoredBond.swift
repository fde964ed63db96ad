public import BluetoothWire

/// What pairing with a meter left: the keys that encrypt the next link and resolve its private addresses.
///
/// It never shows its keys: not printed, not interpolated, not dumped.
public struct StoredBond: Sendable, Equatable {
  /// The meter's identity address.
  public var address: DeviceAddress
  /// One where pairing was Secure Connections; up to two, one for each role, where it was legacy.
  public var longTermKeys: [StoredLongTermKey]
  /// 16 octets as the kernel keeps them; nil where the meter gave none.
  public var identityResolvingKey: [UInt8]?

  public init(address: DeviceAddress, longTermKeys: [StoredLongTermKey], identityResolvingKey: [UInt8]? = nil) {
    self.address = address
    self.longTermKeys = longTermKeys
    self.identityResolvingKey = identityResolvingKey
  }
}

/// A Long Term Key with what the kernel's management interface wants to know of it.
public struct StoredLongTermKey: Sendable, Equatable {
  /// Kind of key as the management interface numbers it: 0 unauthenticated, 1 authenticated, 2 and 3 the same of Secure
  /// Connections, 4 a debug key.
  public var type: UInt8
  /// True for the key used where we are the central.
  public var isCentral: Bool
  /// Octets of the key that count, 7...16.
  public var keySize: UInt8
  /// Encrypted Diversifier; 0 with Secure Connections.
  public var diversifier: UInt16
  /// Random number; 0 with Secure Connections.
  public var random: UInt64
  /// 16 octets as the kernel keeps them.
  public var value: [UInt8]

  public init(type: UInt8, isCentral: Bool, keySize: UInt8, diversifier: UInt16, random: UInt64, value: [UInt8]) {
    self.type = type
    self.isCentral = isCentral
    self.keySize = keySize
    self.diversifier = diversifier
    self.random = random
    self.value = value
  }
}

extension StoredBond: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// How many keys, never which.
  public var description: String {
    "bond with \(address), \(longTermKeys.count) long term keys"
      + (identityResolvingKey == nil ? "" : " and an identity resolving key")
  }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension StoredLongTermKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The kind, never the key.
  public var description: String { "long term key of type \(type)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

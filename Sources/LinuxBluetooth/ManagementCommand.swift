public import BluetoothWire

/// A command to the kernel's Bluetooth management interface, with its parameters.
public enum ManagementCommand: Sendable, Equatable {
  case readVersion
  case readAdapterList
  case readAdapterInformation
  case setPowered(Bool)
  case setBondable(Bool)
  case setSimplePairing(Bool)
  case setLowEnergy(Bool)
  case setSecureConnections(Bool)
  case setInputOutputCapability(InputOutputCapability)
  /// Replaces every long-term key the adapter has loaded.
  case loadLongTermKeys([LongTermKey])
  /// Replaces every identity key the adapter has loaded; even an empty list makes it ask peers for theirs.
  case loadIdentityKeys([IdentityKey])
  case disconnect(DeviceAddress)
  case readConnections
  case unpair(DeviceAddress, disconnects: Bool)
  case confirm(DeviceAddress, accepts: Bool)
  /// Nil refuses.
  case passkey(DeviceAddress, UInt32?)
  /// Low Energy, public and random addresses.
  case startDiscovery
  case stopDiscovery

  /// The types of address a discovery looks for: Low Energy public and random.
  static let discoveryTypes: UInt8 = 0x06

  public var code: UInt16 {
    switch self {
    case .readVersion: 0x0001
    case .readAdapterList: 0x0003
    case .readAdapterInformation: 0x0004
    case .setPowered: 0x0005
    case .setBondable: 0x0009
    case .setSimplePairing: 0x000B
    case .setLowEnergy: 0x000D
    case .loadLongTermKeys: 0x0013
    case .disconnect: 0x0014
    case .readConnections: 0x0015
    case .setInputOutputCapability: 0x0018
    case .unpair: 0x001B
    case .confirm(_, let accepts): accepts ? 0x001C : 0x001D
    case .passkey(_, let passkey): passkey == nil ? 0x001F : 0x001E
    case .startDiscovery: 0x0023
    case .stopDiscovery: 0x0024
    case .setSecureConnections: 0x002D
    case .loadIdentityKeys: 0x0030
    }
  }

  /// What it does, for a message.
  public var title: String {
    switch self {
    case .readVersion: "read the version of the management interface"
    case .readAdapterList: "list the adapters"
    case .readAdapterInformation: "read the adapter's settings"
    case .setPowered(let isOn): "power the adapter \(isOn ? "on" : "off")"
    case .setBondable: "allow bonding"
    case .setSimplePairing: "allow Secure Simple Pairing"
    case .setLowEnergy: "switch Low Energy on"
    case .setSecureConnections: "allow Secure Connections"
    case .setInputOutputCapability: "tell what the user can enter and see"
    case .loadLongTermKeys: "load the stored bonds"
    case .loadIdentityKeys: "load the stored identities"
    case .disconnect: "end the link"
    case .readConnections: "list the links"
    case .unpair: "forget the bond"
    case .confirm: "answer the pairing request"
    case .passkey: "hand over the passkey"
    case .startDiscovery: "scan"
    case .stopDiscovery: "stop scanning"
    }
  }

  public var parameters: [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .readVersion, .readAdapterList, .readAdapterInformation, .readConnections: break
    case .setPowered(let isOn), .setBondable(let isOn), .setSimplePairing(let isOn), .setLowEnergy(let isOn),
      .setSecureConnections(let isOn):
      writer.u8(isOn ? 1 : 0)
    case .setInputOutputCapability(let capability): writer.u8(capability.rawValue)
    case .loadLongTermKeys(let keys):
      writer.u16(UInt16(clamping: keys.count))
      for key in keys.prefix(Int(UInt16.max)) { writer.append(key.octets) }
    case .loadIdentityKeys(let keys):
      writer.u16(UInt16(clamping: keys.count))
      for key in keys.prefix(Int(UInt16.max)) { writer.append(key.octets) }
    case .disconnect(let address), .confirm(let address, _): writer.managementAddress(address)
    case .unpair(let address, let disconnects):
      writer.managementAddress(address)
      writer.u8(disconnects ? 1 : 0)
    case .passkey(let address, let passkey):
      writer.managementAddress(address)
      if let passkey { writer.u32(passkey) }
    case .startDiscovery, .stopDiscovery: writer.u8(Self.discoveryTypes)
    }
    return writer.octets
  }

  /// The packet that carries it.
  public func packet(adapter: UInt16) -> ManagementPacket {
    let belongsToNone = self == .readVersion || self == .readAdapterList
    return ManagementPacket(
      code: code,
      adapter: belongsToNone ? ManagementPacket.noAdapter : adapter,
      parameters: parameters
    )
  }
}

/// What the user can enter and see during pairing (Core Vol 3 Part H 2.3.2).
public enum InputOutputCapability: UInt8, Sendable {
  case displayOnly = 0
  case displayYesNo = 1
  case keyboardOnly = 2
  case none = 3
  case keyboardDisplay = 4
}

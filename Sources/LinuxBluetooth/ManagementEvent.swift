public import BluetoothWire

/// What the kernel's Bluetooth management interface tells; an unknown event keeps its packet.
public enum ManagementEvent: Sendable, Equatable {
  /// The answer to a command; parameters are empty where only a status came.
  case answer(command: UInt16, ManagementStatus, [UInt8])
  case adapterAdded
  case adapterRemoved
  case newSettings(ManagementSettings)
  /// `isToKeep` is false for a key of a pairing without bonding.
  case newLongTermKey(LongTermKey, isToKeep: Bool)
  case newIdentityKey(IdentityKey, resolvable: DeviceAddress, isToKeep: Bool)
  case connected(DeviceAddress)
  case disconnected(DeviceAddress, DisconnectionReason)
  case connectFailed(DeviceAddress, ManagementStatus)
  /// `isHint` where nothing is to be compared: the kernel only asks whether pairing is wanted.
  case confirmRequest(DeviceAddress, isHint: Bool, value: UInt32)
  case passkeyRequest(DeviceAddress)
  case passkeyToShow(DeviceAddress, UInt32)
  case authenticationFailed(DeviceAddress, ManagementStatus)
  case found(AdvertisedDevice)
  case discovering(Bool)
  case unpaired(DeviceAddress)
  /// Not decoded: of another kind, about a BR/EDR device, or too short.
  case other(ManagementPacket)

  /// Why a link ended, as the management interface says it.
  public enum DisconnectionReason: UInt8, Sendable {
    case unspecified = 0
    case timeout = 1
    case local = 2
    case remote = 3
    case authenticationFailure = 4
    case suspended = 5
  }

  public init(_ packet: ManagementPacket) { self = Self.decode(packet) ?? .other(packet) }

  private static func decode(_ packet: ManagementPacket) -> ManagementEvent? {
    let octets = packet.parameters
    func fields(_ minimum: Int) -> ManagementFields? { ManagementFields(octets, atLeast: minimum) }
    func address(_ minimum: Int) -> (ManagementFields, DeviceAddress)? {
      guard let fields = fields(minimum), let address = fields.address(0) else { return nil }
      return (fields, address)
    }
    switch packet.code {
    case 0x0001, 0x0002:
      guard let fields = fields(3) else { return nil }
      return .answer(command: fields.u16(0), ManagementStatus(fields.u8(2)), Array(octets.dropFirst(3)))
    case 0x0004: return .adapterAdded
    case 0x0005: return .adapterRemoved
    case 0x0006: return fields(4).map { .newSettings(ManagementSettings(rawValue: $0.u32(0))) }
    case 0x000A:
      guard let fields = fields(1 + LongTermKey.length) else { return nil }
      return LongTermKey(octets: fields.part(1, LongTermKey.length))
        .map { .newLongTermKey($0, isToKeep: fields.u8(0) != 0) }
    case 0x0018:
      guard let fields = fields(7 + IdentityKey.length) else { return nil }
      let resolvable = UInt64(fields.u32(1)) | UInt64(fields.u16(5)) << 32
      return IdentityKey(octets: fields.part(7, IdentityKey.length)).map {
        .newIdentityKey(
          $0,
          resolvable: DeviceAddress(value: resolvable, isRandom: true),
          isToKeep: fields.u8(0) != 0
        )
      }
    case 0x000B: return address(13).map { .connected($0.1) }
    case 0x000C:
      return address(8).map { .disconnected($0.1, DisconnectionReason(rawValue: $0.0.u8(7)) ?? .unspecified) }
    case 0x000D: return address(8).map { .connectFailed($0.1, ManagementStatus($0.0.u8(7))) }
    case 0x000F: return address(12).map { .confirmRequest($0.1, isHint: $0.0.u8(7) != 0, value: $0.0.u32(8)) }
    case 0x0010: return address(7).map { .passkeyRequest($0.1) }
    case 0x0011: return address(8).map { .authenticationFailed($0.1, ManagementStatus($0.0.u8(7))) }
    case 0x0012: return AdvertisedDevice(deviceFound: octets).map { .found($0) }
    case 0x0013: return fields(2).map { .discovering($0.u8(1) != 0) }
    case 0x0016: return address(7).map { .unpaired($0.1) }
    case 0x0017: return address(11).map { .passkeyToShow($0.1, $0.0.u32(7)) }
    default: return nil
    }
  }
}

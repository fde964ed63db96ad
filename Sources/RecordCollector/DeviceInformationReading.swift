import HealthProfiles

/// Which Device Information is read, and into which field it goes (DIS, GLP 3.2).
enum DeviceInformationReading {
  /// Manufacturer Name, Model Number, Serial Number, Firmware Revision, System ID.
  static let characteristics: [UInt16] = [0x2A29, 0x2A24, 0x2A25, 0x2A26, 0x2A23]

  static func put(_ value: [UInt8], of uuid: UInt16, into identity: inout SensorIdentity) {
    // Some meters end their strings with zero octets.
    let octets = [UInt8](value.prefix { $0 != 0 })
    let text = octets.isEmpty ? nil : DeviceInformationString(octets: octets).text
    switch uuid {
    case 0x2A29: identity.manufacturer = text
    case 0x2A24: identity.model = text
    case 0x2A25: identity.serial = text
    case 0x2A26: identity.firmware = text
    case 0x2A23: identity.systemID = value.isEmpty ? nil : value
    default: break
    }
  }
}

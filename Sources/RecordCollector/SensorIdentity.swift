public import BluetoothWire

/// Who the meter is: its identity address and what its Device Information Service says (DIS, GLP 3.2).
public struct SensorIdentity: Hashable, Sendable {
  /// Public or random static, never a resolvable one.
  public var address: DeviceAddress
  /// The name it advertises or its Device Name.
  public var name: String?
  public var manufacturer: String?
  public var model: String?
  public var serial: String?
  public var firmware: String?
  /// Eight octets as sent.
  public var systemID: [UInt8]?
  /// The Glucose Feature bits as sent (GLS 3.3).
  public var feature: UInt16?

  public init(
    address: DeviceAddress,
    name: String? = nil,
    manufacturer: String? = nil,
    model: String? = nil,
    serial: String? = nil,
    firmware: String? = nil,
    systemID: [UInt8]? = nil,
    feature: UInt16? = nil
  ) {
    self.address = address
    self.name = name
    self.manufacturer = manufacturer
    self.model = model
    self.serial = serial
    self.firmware = firmware
    self.systemID = systemID
    self.feature = feature
  }
}

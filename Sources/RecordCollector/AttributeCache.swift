/// The handles of the characteristics a sync uses, kept between links of a bonded meter (Core Vol 3 Part G 2.5.2).
public struct AttributeCache: Hashable, Sendable {
  /// Where one characteristic stands.
  public struct Characteristic: Hashable, Sendable {
    /// The handle of its declaration; the value follows at `value`.
    public var declaration: UInt16
    public var value: UInt16
    /// The properties octet of the declaration.
    public var properties: UInt8
    /// The handle of its Client Characteristic Configuration descriptor.
    public var configuration: UInt16?

    public init(declaration: UInt16, value: UInt16, properties: UInt8, configuration: UInt16? = nil) {
      self.declaration = declaration
      self.value = value
      self.properties = properties
      self.configuration = configuration
    }
  }

  /// The handles of the Glucose Service.
  public var glucoseService: ClosedRange<UInt16>
  public var measurement: Characteristic
  public var context: Characteristic?
  public var feature: Characteristic?
  public var recordAccess: Characteristic
  public var serviceChanged: Characteristic?
  /// The value handle of Current Time (0x2A2B).
  public var currentTime: UInt16?
  /// The value handle of a Date Time (0x2A08).
  public var dateTime: UInt16?
  /// The value handles of Device Information strings, by the 16-bit UUID of the characteristic.
  public var deviceInformation: [UInt16: UInt16]
  /// The 16 octets of the Database Hash (0x2B2A), where the meter has one.
  public var databaseHash: [UInt8]?

  public init(
    glucoseService: ClosedRange<UInt16>,
    measurement: Characteristic,
    context: Characteristic? = nil,
    feature: Characteristic? = nil,
    recordAccess: Characteristic,
    serviceChanged: Characteristic? = nil,
    currentTime: UInt16? = nil,
    dateTime: UInt16? = nil,
    deviceInformation: [UInt16: UInt16] = [:],
    databaseHash: [UInt8]? = nil
  ) {
    self.glucoseService = glucoseService
    self.measurement = measurement
    self.context = context
    self.feature = feature
    self.recordAccess = recordAccess
    self.serviceChanged = serviceChanged
    self.currentTime = currentTime
    self.dateTime = dateTime
    self.deviceInformation = deviceInformation
    self.databaseHash = databaseHash
  }
}

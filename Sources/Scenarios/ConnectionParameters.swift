public import BluetoothWire

/// How a link begins.
public struct ConnectionParameters: Sendable, Hashable {
  /// The collector's role; a glucose collector is the central (GLP 2.2).
  public var collectorRole: LinkRole = .central
  /// True for LE Enhanced Connection Complete, false for LE Connection Complete.
  public var isEnhanced = false
  /// The sensor's address on the air where it is not the meter's identity address.
  public var sensorAddress: DeviceAddress?
  /// True where the controller has resolved the sensor's address: the event then names the identity.
  public var isResolved = false
  /// In 1.25 ms.
  public var interval: UInt16 = 24
  /// In connection events.
  public var latency: UInt16 = 0
  /// In 10 ms.
  public var supervisionTimeout: UInt16 = 200
  /// 0, or why the link was not made.
  public var status: UInt8 = 0

  public init() {}
}

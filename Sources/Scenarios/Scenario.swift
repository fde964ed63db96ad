public import BluetoothWire

/// A capture written as values: rendered into frames or a file of any format, from either host's side.
public struct Scenario: Sendable {
  /// A short name in lower case with dashes.
  public var name: String
  /// What happens, in order.
  public var steps: [Step]
  /// The meter until a step selects another.
  public var meter: Meter
  /// When the capture begins, in microseconds since 1970: 2026-03-04 08:00 UTC unless set.
  public var start: Int64
  /// The collector's identity address.
  public var collectorAddress: DeviceAddress

  public init(
    _ name: String,
    meter: Meter = Meter(),
    start: Int64 = 1_772_611_200_000_000,
    collectorAddress: DeviceAddress = DeviceAddress(value: 0x0000_5E00_53A1, isRandom: false),
    _ steps: [Step]
  ) {
    self.name = name
    self.meter = meter
    self.start = start
    self.collectorAddress = collectorAddress
    self.steps = steps
  }
}

public import BluetoothWire

/// One advertiser as `racpscope scan` shows it.
public struct ScannedDevice: Sendable, Equatable {
  public var address: DeviceAddress
  public var name: [UInt8]?
  /// dBm.
  public var signal: Int8?
  public var services: [BluetoothUUID]
  public var isHealthDevice: Bool
  /// Nil where that cannot be known.
  public var isBonded: Bool?

  public init(
    address: DeviceAddress,
    name: [UInt8]?,
    signal: Int8?,
    services: [BluetoothUUID],
    isHealthDevice: Bool,
    isBonded: Bool?
  ) {
    self.address = address
    self.name = name
    self.signal = signal
    self.services = services
    self.isHealthDevice = isHealthDevice
    self.isBonded = isBonded
  }

  /// Health devices first, then the strongest; the address settles equals, so that lines stay where they are.
  public static func isBefore(_ left: ScannedDevice, _ right: ScannedDevice) -> Bool {
    if left.isHealthDevice != right.isHealthDevice { return left.isHealthDevice }
    // Steps of 8 dB: a line does not jump with every report.
    let strength = (left.signal.map { Int($0) >> 3 } ?? -99, right.signal.map { Int($0) >> 3 } ?? -99)
    if strength.0 != strength.1 { return strength.0 > strength.1 }
    return left.address.value < right.address.value
  }
}

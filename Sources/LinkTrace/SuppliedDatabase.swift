public import BluetoothWire

/// An attribute database the user gave, and the device it belongs to where the file says so.
public struct SuppliedDatabase: Sendable {
  /// The device; nil where it is for any peer.
  public var device: DeviceAddress?
  public var database: AttributeDatabase

  public init(device: DeviceAddress?, database: AttributeDatabase) {
    self.device = device
    self.database = database
  }
}

import BluetoothWire

/// What the capture shows of one controller.
struct AdapterState: Sendable {
  var index: UInt16
  var publicAddress: DeviceAddress?
  var randomAddress: DeviceAddress?
  /// What an advertising set was given for itself.
  var advertisingAddress: DeviceAddress?
  /// True where the host has it advertise a service of a health device.
  var offersHealth = false
  /// True where what it advertises is a whole list of services without any such.
  var offersOthersOnly = false
  /// The name the host has it advertise; empty where it does not.
  var ownName: [UInt8] = []
  /// Advertised names by address, the latest of those that fall on the same cell.
  var names = AdvertisedNames()
}

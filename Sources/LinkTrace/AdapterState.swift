import BluetoothWire

/// What the capture shows of one controller.
struct AdapterState: Sendable {
  var index: UInt16
  var publicAddress: DeviceAddress?
  var randomAddress: DeviceAddress?
  /// What an advertising set was given for itself.
  var advertisingAddress: DeviceAddress?
  /// True where the host chose a random address for itself in the last order to connect, or to advertise.
  var connectsAsRandom = false
  var advertisesAsRandom = false
  /// True where the host has it advertise a service of a health device.
  var offersHealth = false
  /// True where what it advertises is a whole list of services without any such.
  var offersOthersOnly = false
  /// The name the host has it advertise; empty where it does not.
  var ownName: [UInt8] = []
  /// Advertised names by address, the latest of those that fall on the same cell.
  var names = AdvertisedNames()

  /// The resolvable private address that the host itself has set and chosen for a role; nil where it uses another one.
  func resolvable(isCentral: Bool) -> DeviceAddress? {
    let isChosen = isCentral ? connectsAsRandom : advertisesAsRandom
    let address = isCentral ? randomAddress : advertisingAddress ?? randomAddress
    return isChosen && address?.kind == .resolvablePrivate ? address : nil
  }
}

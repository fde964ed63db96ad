import BluetoothWire

extension GattTable {
  /// The server's address and name in one phrase, not escaped.
  public var deviceTitle: String { Listing.device(address, name) }
}

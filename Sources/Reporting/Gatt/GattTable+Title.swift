import BluetoothWire

extension GattTable {
  /// The server's address and name in one phrase, not escaped.
  public var deviceTitle: String {
    let title = address?.description ?? "one of unknown address"
    guard let name else { return title }
    return title + " (" + String(decoding: name, as: UTF8.self) + ")"
  }
}

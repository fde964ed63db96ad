import BluetoothWire

/// A device whose records are written: its texts, made once, and the records it has sent so far.
struct RecordedDevice {
  /// Nil where the capture does not show the address.
  var identity: DeviceAddress?
  /// `F0:0D:CA:FE:00:01` or `unknown`.
  var address: String
  /// As it stood on the air; empty where nothing tells.
  var name: [UInt8]
  var records = DeliveredRecords()
  var hasRows = false

  /// Address and name for messages, not escaped.
  var title: String { Listing.device(identity, name.isEmpty ? nil : name) }
}

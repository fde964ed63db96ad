import BluetoothWire
import RecordStore

/// Holds the lock of a meter.
enum Holder {
  static func hold(_ path: String, _ address: String) throws(StoreError) {
    let store = try RecordStore(path: path)
    guard let meter = DeviceAddress(text: address, isRandom: true) else { return }
    let lock = try store.lock(meter, command: "store-writer hold")
    Output.line("held")
    while readLine() != nil {}
    withExtendedLifetime(lock) {}
  }
}

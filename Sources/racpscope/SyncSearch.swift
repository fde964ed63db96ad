import BluetoothWire
import LinuxBluetooth
import RecordStore

/// Settles whether an address is a public or a random one.
enum SyncSearch {
  /// How long an unknown meter is looked for; the connection waits for it after that.
  private static let time: UInt64 = 10_000_000_000

  /// The meter as the store knows it, or as the user said; nil where nothing is known.
  static func known(_ settings: SyncSettings, _ store: RecordStore) throws(StoreError) -> DeviceAddress? {
    if settings.hasType { return settings.address }
    let known = try store.devices().map(\.address).filter { $0.value == settings.address.value }
    return known.first(where: { $0 == settings.address }) ?? known.first
  }

  /// Scans until the meter is heard; nil where it is not.
  static func look(
    for meter: DeviceAddress,
    _ control: ControlChannel,
    _ adapter: PreparedAdapter,
    _ loop: inout EventLoop
  ) throws(BluetoothError) -> AdvertisedDevice? {
    var discovery = Discovery(control, adapter)
    do throws(BluetoothError) {
      try discovery.start(&loop)
    } catch {
      // The kind of address can be guessed, and the connection says more of what is wrong.
      return nil
    }
    defer { discovery.stop(&loop) }
    let deadline = MonotonicClock.now() + time
    while MonotonicClock.now() < deadline {
      let heard = try discovery.listen(until: deadline, &loop)
      if loop.isStopped { throw BluetoothError(.stopped, "Stopped.") }
      if let found = heard.first(where: { $0.address.value == meter.value }) { return found }
    }
    return nil
  }
}

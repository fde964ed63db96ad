public import BluetoothWire
public import RecordCollector

extension CollectorDriver where Bearer == PlainBearer {
  /// Runs one collector over a connected socket that keeps packet boundaries, which it closes at the end.
  ///
  /// - Parameters:
  ///   - descriptor: SOCK_SEQPACKET; the meter is at its other end.
  ///   - security: how protected the link is to count.
  public static func run(
    descriptor: Int32,
    security: LinkSecurity = LinkSecurity(level: 2, keySize: 16),
    meter: DeviceAddress,
    plan: CollectorPlan = CollectorPlan(),
    store: Store,
    observer: Observer
  ) throws -> SyncRun {
    let bearer = PlainBearer(descriptor: descriptor, security: security)
    var driver = try CollectorDriver(bearer, meter: meter, plan: plan, store: store, observer: observer)
    var loop = EventLoop(catchesSignals: false)
    return driver.run(&loop)
  }
}

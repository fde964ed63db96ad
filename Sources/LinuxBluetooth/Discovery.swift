public import BluetoothWire

/// Scans for advertisers until told to stop, and collects what each said.
public struct Discovery {
  private let control: ControlChannel
  private let adapter: PreparedAdapter
  /// What was heard, by address, reports of one device joined.
  public private(set) var devices: [DeviceAddress: AdvertisedDevice] = [:]
  /// The adapter scans because we asked, not another program.
  private var isOurs = false
  /// When to ask again where another program had the scanner.
  private var nextTry: UInt64?

  /// Devices kept: more are in no room.
  private static let bound = 10_000

  public init(_ control: ControlChannel, _ adapter: PreparedAdapter) {
    self.control = control
    self.adapter = adapter
  }

  /// Begins to scan; where another program scans already, its results are heard as well.
  public mutating func start(_ loop: inout EventLoop) throws(BluetoothError) {
    let status = try AdapterSetup.status(of: .startDiscovery, control, adapter: adapter.identifier, &loop)
    switch status {
    case .success: isOurs = true
    case .busy: nextTry = MonotonicClock.now() + .seconds(2)
    default: throw .refused(.startDiscovery, status, adapter.name)
    }
  }

  /// Waits for reports until the deadline or the user's stop.
  ///
  /// - Returns: the devices that were heard meanwhile, each as it is known now.
  public mutating func listen(until deadline: UInt64, _ loop: inout EventLoop) throws(BluetoothError)
    -> [AdvertisedDevice]
  {
    if let due = nextTry, due <= MonotonicClock.now() {
      nextTry = nil
      try start(&loop)
    }
    if !control.hasWaitingEvent {
      guard loop.wait([EventLoop.Interest(control.descriptor)], until: deadline)[0] else { return [] }
    }
    var heard: [AdvertisedDevice] = []
    do throws(ChannelFailure) {
      while let (index, event) = try control.next() {
        guard index == adapter.identifier else { continue }
        switch event {
        case .found(let device): if let known = learn(device) { heard.append(known) }
        // The kernel scans for about ten seconds at a time.
        case .discovering(false): nextTry = MonotonicClock.now()
        case .adapterRemoved: throw .adapterDown
        case .newSettings(let settings): if !settings.contains(.powered) { throw .adapterDown }
        default: break
        }
      }
    } catch {
      throw .channel(error, purpose: "scan")
    }
    return heard
  }

  private mutating func learn(_ device: AdvertisedDevice) -> AdvertisedDevice? {
    var device = device
    if let earlier = devices[device.address] {
      device.complete(from: earlier)
    } else if devices.count >= Self.bound {
      return nil
    }
    devices[device.address] = device
    return device
  }

  /// Ends our scan.
  public mutating func stop(_ loop: inout EventLoop) {
    guard isOurs else { return }
    isOurs = false
    // It may have ended by itself.
    _ = try? AdapterSetup.status(of: .stopDiscovery, control, adapter: adapter.identifier, &loop)
  }
}

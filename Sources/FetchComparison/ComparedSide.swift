public import BluetoothWire
public import LinkTrace

/// One side of a comparison: the records of some captures or of a store, and the links they came over.
///
/// Built link by link or row by row; 40 octets a record, 24 a context, the links apart.
public struct ComparedSide: Sendable {
  /// In the order they were met.
  public internal(set) var devices: [FetchedDevice] = []
  public private(set) var links: [FetchedLink] = []
  /// Where records were delivered.
  private(set) var places: [DeliveryPlace] = []
  /// Index of the capture the next links are from.
  public var capture = 0

  /// True where all devices count as one.
  private let ignoresIdentity: Bool
  private var positions: [DeviceAddress: Int] = [:]
  /// The place of rows of a store.
  private var storedPlace: UInt32?

  /// A side without records; `ignoringIdentity` takes all its devices for one.
  public init(ignoringIdentity: Bool = false) { ignoresIdentity = ignoringIdentity }

  public var recordCount: Int { devices.reduce(0) { $0 + $1.records.count } }

  public func place(of record: ComparedRecord) -> DeliveryPlace { places[Int(record.place)] }

  /// The link a record came over; nil for a row of a store.
  public func link(of record: ComparedRecord) -> FetchedLink? { place(of: record).link.map { links[$0] } }

  // MARK: Links

  /// Takes a link that has ended; one without a sensor or a request brings only its own steps.
  public mutating func take(_ history: borrowing LinkHistory, name: [UInt8]?) {
    let isLocal = history.presumedDevice == .local
    let device = device(isLocal ? history.localAddress : history.peerIdentity)
    let position = links.count
    var link = FetchedLink(history, capture: capture, firstPlace: places.count)
    places += link.places(link: position)
    devices[device].links.append(position)
    devices[device].name = devices[device].name ?? name
    devices[device].isLocal = devices[device].isLocal || isLocal
    LinkRecords.read(history, into: &devices[device], &link)
    links.append(link)
  }

  /// Takes a row of a store: the octets of a Glucose Measurement and of the contexts that belong to it.
  ///
  /// False where the octets are no measurement.
  @discardableResult
  public mutating func take(
    measurement: RawSpan,
    contexts: [[UInt8]],
    offset: Int16?,
    of address: DeviceAddress,
    name: [UInt8]?
  ) -> Bool {
    let device = take(stored: address, name: name)
    guard var record = ComparedRecord(measurement, isClipped: false) else { return false }
    record.offset = offset ?? record.offset
    record.place = rowPlace()
    // A meter sends one context a measurement; of several in a store the first is compared.
    if let context = contexts.first {
      let octets = unsafe context.span.bytes
      devices[device].contexts.append(ComparedContext(octets))
      record.contextOrdinal = UInt32(truncatingIfNeeded: devices[device].contexts.count)
    }
    devices[device].records.append(record)
    return true
  }

  /// Takes a device of a store, which may hold no row of it; its index.
  @discardableResult
  public mutating func take(stored address: DeviceAddress, name: [UInt8]?) -> Int {
    let device = device(address)
    devices[device].name = devices[device].name ?? name
    devices[device].isStored = true
    return device
  }

  private mutating func rowPlace() -> UInt32 {
    if let storedPlace { return storedPlace }
    let place = UInt32(truncatingIfNeeded: places.count)
    places.append(DeliveryPlace(link: nil, procedure: nil, completion: .complete, time: nil))
    storedPlace = place
    return place
  }

  // MARK: Devices

  private mutating func device(_ address: DeviceAddress?) -> Int {
    if ignoresIdentity {
      if devices.isEmpty { devices.append(FetchedDevice()) }
      if devices[0].address == nil { devices[0].address = address }
      return 0
    }
    // Links whose device is not known are not one device: each has its own numbers.
    if let address, let position = positions[address] { return position }
    devices.append(FetchedDevice())
    devices[devices.count - 1].address = address
    if let address { positions[address] = devices.count - 1 }
    return devices.count - 1
  }

  /// Takes every device without an address for one: `address`, or another without an address.
  mutating func adoptUnknown(as address: DeviceAddress?) {
    guard devices.contains(where: { $0.address == nil }) else { return }
    var adopted = FetchedDevice()
    adopted.address = address
    adopted.isAssumed = address != nil || devices.count > 1
    var kept: [FetchedDevice] = []
    for device in devices {
      if device.address == nil || device.address == address { adopted.merge(device) } else { kept.append(device) }
    }
    devices = [adopted] + kept
  }
}

public import BluetoothWire

/// All that a capture shows of one link, in compact arrays that borrow nothing from the file.
///
/// It may be read at any moment: a link that is still up has an end whose cause is `open`. The first part is what the
/// frames say; `procedures`, `subscriptions` and the roles in `handles` are derived by `conclude` from what is known
/// of the handles at that moment.
public struct LinkHistory: Sendable {
  /// The link's ordinal in the run, from 1.
  public var number: UInt32 = 0
  /// Controller index and connection handle.
  public var adapter: UInt16 = 0
  public var handle: UInt16 = 0
  /// How it began; nil where that is not in the file.
  public var start: LinkStart?
  public var end = LinkEnd(
    cause: .open,
    frame: 0,
    time: 0,
    reason: ControllerError(rawValue: 0),
    endedBy: nil
  )
  /// The identity address of the peer where it is known: public, static, or resolved with an identity key.
  public var peerIdentity: DeviceAddress?
  /// The local controller's address, where the capture shows it.
  public var localAddress: DeviceAddress?
  /// True where the peer advertised a service of a health device before the link began.
  public var peerOffersHealth = false
  /// True where the captured host is the peripheral and has advertised such a service.
  public var localOffersHealth = false
  /// True where it has advertised the whole list of its services and none of them is such a one.
  public var localOffersOthersOnly = false
  /// What the bond that is in use on this link had kept of the subscriptions when the link began; nil where it is not
  /// known.
  public var storedSubscriptions: StoredSubscriptions?
  /// True where a bond from before this link holds the peer to the table that is remembered of it: neither a new pairing
  /// nor a refused key on this link speaks against it.
  public var isHeldToTable = false
  /// True where another link of the same adapter that may be a collector's was up at any time while this one was.
  public var runsBesideAnother = false
  /// First and last frame of the link, and their times in microseconds since 1970 UTC.
  public var firstFrame: UInt32 = 0
  public var lastFrame: UInt32 = 0
  public var firstTime: Int64 = 0
  public var lastTime: Int64 = 0

  /// Every ATT PDU that is kept, in file order, and the octets of their values.
  public var pdus: [AttributePDU] = []
  public var arena = OctetArena()
  /// Security, parameters, transport, capture faults, in file order.
  public var events: [LinkEvent] = []
  /// One entry for each handle that was used.
  public var handles: [HandleTraffic] = []
  /// What discovery on this link, and what is remembered, says of the two servers.
  public var local = AttributeDatabase()
  public var remote = AttributeDatabase()
  public var counts = LinkCounts()

  /// The Service Changed indications, in file order.
  public internal(set) var tableChanges: [TableChange] = []
  /// Record access procedures in the order of their requests.
  public var procedures: [Procedure] = []
  /// Results on a control point that answer no request of this capture, as indices into `pdus`; the first 64.
  public var unaskedResults: [UInt32] = []
  /// True where a result came before the Write Response of a request, and the capture ends before it shows whether it was
  /// that request's or one too many of an earlier one.
  public var hasUndecidedResult = false
  /// Records that belong to no procedure of this capture.
  public var strayRecords = StrayRecords()
  /// Writes to Client Characteristic Configuration descriptors, in file order.
  public var subscriptions: [Subscription] = []
  /// The side that holds the records, as this link or another one of the same device shows; nil where nothing tells.
  public var sensor: Side?
  /// The side that is a health device, with records or without, as this link or another one of the same device shows;
  /// nil where nothing tells.
  public var deviceSide: Side?
  /// True where the service of that device is known by name to be that of a glucose meter.
  public var isGlucoseDevice = false

  public init() {}

  /// The octets of a value; empty where they were let go.
  @_lifetime(borrow self)
  public func value(_ pdu: AttributePDU) -> RawSpan {
    let start = Int(pdu.valueStart)
    return arena.bytes.extracting(start..<(start + Int(pdu.valueCount)))
  }

  /// The octets a write means to write: those of a Prepare Write Request without the offset in front of them.
  @_lifetime(borrow self)
  public func written(_ pdu: AttributePDU) -> RawSpan {
    let value = value(pdu)
    let start = pdu.opcode == .prepareWriteRequest ? min(2, value.byteCount) : 0
    return value.extracting(start..<value.byteCount)
  }

  /// The database of one side.
  public func database(_ side: Side) -> AttributeDatabase { side == .local ? local : remote }

  /// Takes a database out to change it without copying; `give` puts it back.
  mutating func takeDatabase(_ side: Side) -> AttributeDatabase {
    var taken = AttributeDatabase()
    switch side {
    case .local: swap(&taken, &local)
    case .remote: swap(&taken, &remote)
    }
    return taken
  }

  mutating func give(_ database: consuming AttributeDatabase, to side: Side) {
    switch side {
    case .local: local = database
    case .remote: remote = database
    }
  }

  /// What a PDU's handle is.
  public func role(_ pdu: AttributePDU) -> AttributeRole {
    pdu.attribute == .max ? .unknown : handles[Int(pdu.attribute)].role
  }

  /// True for a link of a health device.
  public var isHealthLink: Bool { deviceSide != nil || handles.contains { $0.role == .glucoseContext } }

  /// The side that is the device of the link; where nothing tells, the peripheral.
  public var presumedDevice: Side { deviceSide ?? peripheral ?? .remote }

  /// The side that is the peripheral; nil where the start of the link is not in the file.
  var peripheral: Side? { start.map { $0.isCentral ? .remote : .local } }

  /// True where the controller reported all that the host sent on the link as acknowledged by the peer's.
  public var isAllAcknowledged: Bool {
    counts.completedFragments > 0 && counts.completedFragments == counts.sentFragments
  }

  /// True where none of several requests to a control point has a Write Response, and the sensor carried them out: a
  /// logger that misses packets would not miss these alone.
  public var neverAcceptsVisibly: Bool {
    var passed: UInt32 = 0
    for procedure in procedures where pdus[Int(procedure.request)].opcode == .writeRequest {
      if procedure.answer != nil { return false }
      if procedure.result != nil { passed += 1 }
    }
    return passed > 1 && counts.passedRequests <= passed
  }

  /// Empties everything and keeps the storage, so that the next link costs no allocation.
  public mutating func reuse() {
    var next = LinkHistory()
    swap(&next.pdus, &pdus)
    swap(&next.arena, &arena)
    swap(&next.events, &events)
    swap(&next.handles, &handles)
    swap(&next.procedures, &procedures)
    swap(&next.subscriptions, &subscriptions)
    next.pdus.removeAll(keepingCapacity: true)
    next.arena.removeAll()
    next.events.removeAll(keepingCapacity: true)
    next.handles.removeAll(keepingCapacity: true)
    next.procedures.removeAll(keepingCapacity: true)
    next.subscriptions.removeAll(keepingCapacity: true)
    self = next
  }
}

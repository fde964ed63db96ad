public import BluetoothWire

/// A link apart from its history: small enough to keep for every link of a long capture.
public struct LinkSummary: Sendable {
  public var number: UInt32
  public var adapter: UInt16
  public var handle: UInt16
  public var start: LinkStart?
  public var end: LinkEnd
  public var peerIdentity: DeviceAddress?
  public var localAddress: DeviceAddress?
  public var sensor: Side?
  public var firstFrame: UInt32
  public var lastFrame: UInt32
  public var firstTime: Int64
  public var lastTime: Int64
  public var counts: LinkCounts
  public var security: SecurityTimeline
  public var radio: RadioSummary
  public var procedures: [ProcedureSummary]
  public var subscriptions: [Subscription]
  /// True where the input shows what the bond had kept of the subscriptions when the link began.
  public var hasStoredSubscriptions: Bool
  /// Handles with a role of a health profile, as they are named.
  public var healthHandles: [HandleTraffic]
  /// The MTU in force at the end; nil where the exchange is not in the capture.
  public var mtu: UInt16?
  /// The range and the type of the service with the records where it is known.
  public var service: ClosedRange<UInt16>?
  public var serviceType: BluetoothUUID?
  /// How that range is known.
  public var serviceProvenance = Provenance.unnamed
  /// Results that answer no request of this capture: their frames and octets.
  public var unaskedResults: [(frame: UInt32, octets: [UInt8])]
  /// Records that belong to no procedure.
  public var strayRecords: StrayRecords
  /// Reads and writes of the service that were refused; the first four.
  public var refusals: [Refusal]
  /// Why what is not seen may have happened; nil where nothing is hidden.
  public var hidden: HiddenTraffic?

  /// True where requests may be there that cannot be told to be some.
  public var hidesRequests: Bool {
    switch hidden {
    case .emptiedPackets, .namelessPackets, .unnamedRequest: true
    case .onlySent, .onlyReceived, .unnamedValues, nil: false
    }
  }

  public init(_ history: borrowing LinkHistory) {
    number = history.number
    adapter = history.adapter
    handle = history.handle
    start = history.start
    end = history.end
    peerIdentity = history.peerIdentity
    localAddress = history.localAddress
    sensor = history.sensor
    firstFrame = history.firstFrame
    lastFrame = history.lastFrame
    firstTime = history.firstTime
    lastTime = history.lastTime
    counts = history.counts
    security = SecurityTimeline(history)
    radio = RadioSummary(history)
    procedures = []
    procedures.reserveCapacity(history.procedures.count)
    for index in history.procedures.indices {
      procedures.append(ProcedureSummary(history.procedures[index], history))
    }
    unaskedResults = []
    for index in history.unaskedResults {
      let pdu = history.pdus[Int(index)]
      unaskedResults.append((pdu.frame, history.value(pdu).copied()))
    }
    subscriptions = history.subscriptions
    hasStoredSubscriptions = history.storedSubscriptions != nil
    healthHandles = history.handles.filter { $0.role != .unknown && $0.role != .other && $0.role != .subscription }
    strayRecords = history.strayRecords
    refusals = Refusal.list(history)
    hidden = HiddenTraffic(history)
    mtu = Self.mtu(history)
    if let sensor {
      let database = history.database(sensor)
      let anchor = Self.best(0x2A52, in: database) ?? Self.best(0x2A18, in: database)
      if let anchor, let service = database.service(of: anchor.handle) {
        self.service = service.handle...max(service.handle, service.groupEnd)
        serviceType = service.type
        serviceProvenance = service.provenance
      }
    }
  }

  /// The best known value of a type: what is remembered of an earlier table may stand before what was found.
  private static func best(_ type: UInt16, in database: AttributeDatabase) -> Attribute? {
    let wanted = BluetoothUUID(type)
    var best: Attribute?
    for attribute in database.attributes where attribute.kind == .value && attribute.type == wanted {
      if best.map({ $0.provenance < attribute.provenance }) ?? true { best = attribute }
    }
    return best
  }

  /// The smaller of what both sides asked for on the fixed channel, never below 23 (Core Vol 3 Part F 3.4.2).
  private static func mtu(_ history: borrowing LinkHistory) -> UInt16? {
    guard history.counts.readAnswers > 0 else { return nil }
    for index in history.pdus.indices where history.pdus[index].opcode == .exchangeMTUResponse {
      let answer = history.pdus[index]
      guard answer.partner != AttributePDU.none, answer.valueCount >= 2 else { continue }
      let request = history.pdus[Int(answer.partner)]
      guard request.valueCount >= 2 else { continue }
      return max(23, min(history.value(answer).u16(at: 0), history.value(request).u16(at: 0)))
    }
    return nil
  }

  /// True where anything about the link is not the plain case: a summary of many links names these.
  public var isOdd: Bool {
    if end.cause != .disconnected || end.reason.isLinkLoss { return true }
    if security.failure != nil || security.refusedKey != nil || security.brokenOff != nil { return true }
    return procedures.contains(where: \.isOdd)
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace

/// What the rules share about the link they judge, computed once.
public struct LinkSubject: Sendable {
  public var facts: VisibilityFacts
  public var security: SecurityTimeline
  /// How well the handles of the stored-record service are named: the worst of those that matter.
  public var naming: Provenance
  /// The most a finding about this link may weigh.
  public var levelCap: FindingLevel

  /// The side that holds the records; where no name tells, the peripheral.
  let sensor: Side?
  /// True where the link has to do with a health device.
  let isHealth: Bool
  /// True where the control point is that of a glucose service, known or likely; where it has a context as well.
  let isGlucose: Bool
  let hasContext: Bool
  /// The request of each procedure, and the handle of the control point it went to.
  let requests: [RecordAccessRequest]
  let controlPoints: [UInt16]
  /// What stands beside each procedure.
  let standings: [ProcedureStanding]
  /// What comes before and after each procedure.
  let surroundings: [ProcedureSurroundings]
  let exchanges: AttributeExchanges
  let records: RecordScan
  let feature: FeatureRead?
  /// The transfers whose numbers do not simply rise.
  let transfers: [TransferOrder]
  let survey: DiscoverySurvey
  let subscriptions: SubscriptionStates
  let missingConfigurations: MissingConfigurations
  let efforts: SecurityEfforts
  let departure: Departure
  /// Up to when the link is known to have been up, in microseconds since 1970 UTC.
  let watchedUntil: Int64
  /// True where PDUs may be missing of which not even the op code is left.
  let hidesPDUs: Bool

  public init(_ history: borrowing LinkHistory) {
    // A link is one device's.
    facts = VisibilityFacts(history).union(.identity)
    security = SecurityTimeline(history)
    var worst = Provenance.discovered
    for traffic in history.handles where traffic.role.isControlPoint || traffic.role.isRecord {
      worst = min(worst, traffic.provenance)
    }
    naming = worst
    // A sensor may change its table unless a bond holds it to telling so (Core Vol 3 Part G 2.5.2); from which end that
    // is seen makes no difference.
    let isCarriedOver =
      worst == .remembered && !history.isHeldToTable
      && (!security.usedStoredKey || security.refusedKey != nil)
    levelCap = isCarriedOver ? .warning : Self.cap(worst)
    let sensorSide = history.deviceSide ?? history.start.map { $0.isCentral ? .remote : .local }
    sensor = sensorSide
    isHealth = history.isHealthLink
    (isGlucose, hasContext) = Self.services(history)
    requests = history.procedures.map { procedure in
      let request = history.pdus[Int(procedure.request)]
      return RecordAccessRequest(decoding: history.written(request), dialect: procedure.dialect)
    }
    controlPoints = history.procedures.map(\.controlPoint)
    standings = ProcedureStanding.all(history)
    surroundings = ProcedureSurroundings.all(history, requests, standings)
    exchanges = AttributeExchanges(history)
    records = RecordScan(history)
    feature = FeatureRead(history)
    transfers = TransferOrder.all(history, standings)
    survey = DiscoverySurvey(history, exchanges, sensor: sensorSide)
    subscriptions = SubscriptionStates(history, security, survey)
    missingConfigurations = MissingConfigurations(history, survey, sensor: sensorSide)
    efforts = SecurityEfforts(history)
    departure = Departure(history, sensor: sensorSide)
    // A handle that was given out again tells nothing of when its link ended.
    watchedUntil = history.end.cause == .superseded ? history.lastTime : history.end.time
    hidesPDUs = history.counts.emptiedPDUs > 0
  }

  /// A name that is only inferred does not carry an error (field rules 0).
  static func cap(_ naming: Provenance) -> FindingLevel {
    switch naming {
    case .unnamed, .inferredWeak: .note
    case .inferred: .warning
    case .remembered, .supplied, .discovered: .error
    }
  }

  /// Who is at fault for what a side's host does.
  func fault(of side: Side) -> Fault {
    guard let sensor else { return .undetermined }
    return side == sensor ? .sensor : .collector
  }

  /// True where a link that shows nothing yet of its device may be one of a health device: the host that records is a
  /// peripheral, or the rest tells.
  public static func mayBeHealth(_ history: borrowing LinkHistory) -> Bool {
    if history.isHealthLink { return true }
    guard let start = history.start else { return false }
    if start.isCentral { return false }
    return !history.localOffersOthersOnly && !hasOtherServicesOnly(history.local)
  }

  /// True where all services of a host are known and none is that of a health device.
  private static func hasOtherServicesOnly(_ database: AttributeDatabase) -> Bool {
    let services = database.attributes.filter { $0.kind.isService }
    guard !services.isEmpty, !services.contains(where: { $0.type.short.map(AssignedNumbers.isHealthService) ?? false })
    else { return false }
    let isComplete =
      database.explored.contains { $0.what == 0x2800 && $0.last == .max } || services.contains { $0.groupEnd == .max }
    return isComplete || services.allSatisfy { $0.provenance == .remembered }
  }

  func mayBeHealth(_ history: borrowing LinkHistory) -> Bool { Self.mayBeHealth(history) }

  /// True where an indication from before the end of a procedure was still unconfirmed at its last sign of life: the
  /// sensor must not indicate the result before the confirmation.
  func isHeldUp(_ procedure: Procedure, _ history: borrowing LinkHistory) -> Bool {
    let last = procedure.lastRecord ?? procedure.answer ?? procedure.request
    let end = procedure.result ?? last
    // The last record itself may be the indication that waits.
    for index in exchanges.unconfirmed + exchanges.slowlyConfirmed
    where index < end || (procedure.result == nil && index == end) {
      let indication = history.pdus[Int(index)]
      guard indication.server == procedure.server else { continue }
      if indication.partner == AttributePDU.none || indication.partner > last { return true }
    }
    return false
  }

  /// True where no result of a procedure can come before a PDU, as indications of the control point were off, or were
  /// turned off meanwhile: nothing tells whether it still runs.
  func hidesResult(of index: Int, until place: UInt32, _ history: borrowing LinkHistory) -> Bool {
    let request = history.procedures[index].request
    return subscriptions.state(of: .recordAccess, at: request) == .off
      || beginsToListen(behind: request, until: place)
      || !subscriptions.staysOn(.recordAccess, from: request, until: place)
  }

  /// True where indications of the control point are turned on behind a request and before a PDU, and nothing tells that
  /// they were on before: a collector does that where they were off, and no result could come.
  func beginsToListen(behind request: UInt32, until place: UInt32) -> Bool {
    subscriptions.state(of: .recordAccess, at: request) == .unknown
      && subscriptions.turnsOn(.recordAccess, from: request, until: place)
  }

  /// False where the collector turned the records of a procedure off, or may have, before a PDU: what did not come by then
  /// was not to be sent.
  func wantsRecords(of index: Int, until place: UInt32, _ history: borrowing LinkHistory) -> Bool {
    subscriptions.staysOn(.glucoseMeasurement, from: history.procedures[index].request, until: place)
  }

  /// Where the wait for late records of a procedure ends: with the answer to the next request that may bring some of its
  /// own; with the end of the link where there is none.
  func nextDelivery(after index: Int, _ history: borrowing LinkHistory) -> UInt32 {
    surroundings[index].nextDelivery.map { history.procedures[$0].start } ?? UInt32(history.pdus.count)
  }

  /// True where stored records of a health profile are asked for and the names of the service are inferred: neither this
  /// link nor another one of the run shows the sensor's table.
  func lacksDiscovery(_ history: borrowing LinkHistory) -> Bool {
    survey.rows.isEmpty && naming <= .inferred && requests.contains { $0.dialect == .health }
  }

  /// A procedure's request as messages quote it.
  func quoted(_ procedure: Int) -> String { requests[procedure].quoted }

  /// What the sensor's table and traffic say of its service.
  private static func services(_ history: borrowing LinkHistory) -> (isGlucose: Bool, hasContext: Bool) {
    guard let sensor = history.sensor else { return (false, false) }
    var isGlucose = history.isGlucoseDevice
    var hasContext = false
    for traffic in history.handles where traffic.server == sensor {
      switch traffic.role {
      case .glucoseMeasurement, .glucoseFeature: isGlucose = true
      case .glucoseContext:
        isGlucose = true
        if traffic.provenance >= .remembered { hasContext = true }
      default: continue
      }
    }
    if isGlucose && hasContext { return (true, true) }
    let known = history.database(sensor)
    if !hasContext { hasContext = known.value(0x2A34) != nil }
    if !isGlucose {
      isGlucose = known.value(0x2A18) != nil || known.value(0x2A51) != nil || known.value(0x2AA7) != nil
    }
    return (isGlucose, hasContext)
  }
}

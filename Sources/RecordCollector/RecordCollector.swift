public import BluetoothWire
import HealthProfiles

/// The state machine of a glucose collector (GLP 4, GLS 3.4): what happens goes in, what to do comes out.
///
/// It prepares the link (discovery or remembered handles, security, subscriptions), runs one record access procedure
/// after another, and has everything one transfer brought committed at once. It does no input or output and knows no
/// clock: each event comes with the nanoseconds of the caller's monotonic clock. One value serves one link and ends with
/// `finished`; a further link takes a new value with the memory the store then has.
public struct RecordCollector: Sendable {
  /// What the machine is at.
  enum Phase: Sendable {
    case waitingForLink
    case preparing
    case procedures
    case committing
    case deleting
    case finished
  }

  let plan: CollectorPlan
  let meter: DeviceAddress
  var memory: MeterMemory

  var now: UInt64 = 0
  var outbox: [CollectorAction] = []
  var phase = Phase.waitingForLink
  var run: SyncRun
  /// When the link came up.
  var startedAt: UInt64?
  var linkIsUp = false
  /// No further request may be sent on this link (GLP 4.7.5, Core Vol 3 Part F 3.3.3).
  var mayRequest = true
  var isAborting = false
  var abortDeadline: UInt64?

  var offeredMTU: UInt16 = 23
  var agreedMTU: UInt16 = 23
  var mtuIsExchanged = false

  var security = LinkSecurity.none
  /// The highest level asked for on this link.
  var raisedTo: UInt8 = 0
  /// The meter refused a request for want of security.
  var securityIsDemanded = false
  /// The request that is sent again once the link is secured.
  var repeated: AttributeExchange?

  var agenda: [PreparationStep] = []
  var exchange: AttributeExchange?
  var waiting = Waiting.nothing

  var database = DiscoveredDatabase()
  var attributes: AttributeCache?
  var usesCache = false
  var discoveries = 0
  var servicesChanged = false
  var subscriptionsRewritten = false
  var identity: SensorIdentity

  var procedure: RunningProcedure?
  /// The procedure whose response came and that waits for quiet.
  var answered: (procedure: RunningProcedure, content: RecordAccessResponse.Content)?
  /// A procedure of this link has got its response.
  var procedureIsAnswered = false
  /// What ended the procedures of this link.
  var interruption: Interruption?
  /// How often records were asked for as a transfer, and stored, in this run.
  var transfers = 0
  var commits = 0
  var busyAttempts = 0
  var transfer = TransferState(selection: .all)
  var buffer = RecordBuffer()
  /// The handles whose values are kept, 0 for none.
  var measurementHandle: UInt16 = 0
  var contextHandle: UInt16 = 0
  /// The Time Offset in force in the transfer, and in the procedure that checks it.
  var transferOffset: Int16?
  var checkOffset: Int16?
  var opensEpoch = false
  /// Where in the buffer the values of the latest numbering check begin; nil where a transfer is looked at itself.
  var checkStart: Int?
  var cachedAssembly: (count: Int, assembly: Assembly)?
  var lastProgress: UInt64 = 0
  /// How many notices about single records were given, by their kind: a broken meter must not flood its reader.
  var recordNotices: [RecordNoticeKind: Int] = [:]

  /// The mark of the batch that is being stored.
  var lastMark: UInt16?
  /// The numbers of the records that were committed and may be deleted.
  var committed: [UInt16] = []
  var deletions: [ClosedRange<UInt16>] = []

  public init(plan: CollectorPlan, memory: MeterMemory, meter: DeviceAddress) {
    self.plan = plan
    self.memory = memory
    self.meter = meter
    identity = memory.identity ?? SensorIdentity(address: meter)
    run = SyncRun(outcome: .nothingNew, epoch: memory.epoch, mark: memory.mark)
  }

  /// When `tick` must be given at the latest, by the caller's clock; nil: no time is waited for.
  public var deadline: UInt64? {
    if case .finished = phase { return nil }
    var earliest = abortDeadline
    func consider(_ time: UInt64) { earliest = min(earliest ?? time, time) }
    if let exchange { consider(exchange.deadline) }
    if let procedure, procedure.isAccepted { consider(procedure.deadline) }
    switch waiting {
    case .security(let time), .busy(let time), .quiet(let time): consider(time)
    case .nothing, .lookUp, .store, .deletionAnswer: break
    }
    return earliest
  }

  /// Takes an event and appends what is to be done, in order.
  public mutating func handle(_ event: CollectorEvent, at now: UInt64, into actions: inout [CollectorAction]) {
    if case .finished = phase { return }
    self.now = now
    switch event {
    case .linkUp(let mtu, let security): linkUp(mtu: mtu, security: security)
    case .received(let octets):
      let bytes = unsafe octets.span.bytes
      take(bytes)
    case .securityChanged(let security): securityChanged(security)
    case .securityFailed(let failure): securityFailed(failure)
    case .linkLost(let reason): linkLost(reason)
    case .tick: tick()
    case .abortRequested: abort()
    case .committed(let receipt): committed(receipt)
    case .storeFailed(let reason): storeFailed(reason)
    case .lookedUp(let held): lookedUp(held)
    case .deletionConfirmed(let isConfirmed): deletionConfirmed(isConfirmed)
    }
    flush(into: &actions)
  }

  /// Takes one ATT PDU of the meter without copying it first; a record costs an append.
  public mutating func receive(_ pdu: RawSpan, at now: UInt64, into actions: inout [CollectorAction]) {
    if case .finished = phase { return }
    self.now = now
    take(pdu)
    flush(into: &actions)
  }

  private mutating func flush(into actions: inout [CollectorAction]) {
    guard !outbox.isEmpty else { return }
    actions.append(contentsOf: outbox)
    outbox.removeAll(keepingCapacity: true)
  }

  mutating func notice(_ notice: CollectorNotice) { outbox.append(.notice(notice)) }

  /// A notice about one record, unless there have been enough of its kind.
  mutating func notice(_ kind: RecordNoticeKind, _ notice: CollectorNotice) {
    let given = recordNotices[kind, default: 0]
    guard given < kind.limit else { return }
    recordNotices[kind] = given + 1
    self.notice(notice)
  }

  mutating func progress(_ step: CollectorProgress.Step) {
    lastProgress = now
    let records = procedure?.records ?? 0
    outbox.append(.progress(CollectorProgress(step: step, records: records, total: transfer.count)))
  }

  /// Everything is committed, and records are being deleted; also where subscriptions are written for that once more.
  var isDeleting: Bool {
    if case .deleting = phase { return true }
    if case .delete = procedure?.purpose { return true }
    return false
  }

  /// Ends the run and, where it is up, the link.
  mutating func finish(_ wanted: SyncOutcome) {
    var outcome = wanted
    if isDeleting && !outcome.isComplete {
      // Whatever ends a deletion, what the run is for is done.
      if outcome != .aborted { notice(.deletionNotDone("the meter does not go on with it")) }
      outcome = completeOutcome
    }
    if servicesChanged { outbox.append(.rememberAttributes(nil)) }
    // What was committed stays committed, whatever ended the rest.
    run.outcome = outcome == .aborted && run.stored + run.alreadyHeld > 0 ? completeOutcome : outcome
    run.duration = startedAt.map { now &- $0 } ?? 0
    run.security = security
    run.usedCache = usesCache
    phase = .finished
    exchange = nil
    procedure = nil
    answered = nil
    waiting = .nothing
    if linkIsUp { outbox.append(.disconnect) }
    outbox.append(.finished(run))
  }
}

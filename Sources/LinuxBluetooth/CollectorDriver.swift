public import BluetoothWire
import Glibc
public import RecordCollector

/// Runs one collector over one link: reads and sends its PDUs, keeps its time, stores what it wants stored.
public struct CollectorDriver<Bearer: AttributeBearer, Store: RecordKeeping, Observer: SyncObserver> {
  private let bearer: Bearer
  private let meter: DeviceAddress
  private var collector: RecordCollector
  public private(set) var store: Store
  public private(set) var observer: Observer
  /// Nil where nobody pairs.
  public private(set) var agent: PairingAgent?
  private var confirmation: Prompt

  private var actions: [CollectorAction] = []
  private var outgoing: [[UInt8]] = []
  /// The level that was asked for and is not reached yet.
  private var wantedLevel: UInt8?
  private var isConfirming = false
  private var isLinkUp = true
  /// The end of the link is known, and what came before it is still read: nothing can be sent.
  private var isEnding = false
  private var finished: SyncRun?
  private var stopsHeard = 0
  /// What the meter gave as its reason for not pairing, where the traffic is watched.
  private var pairingFailure: PairingFailure?
  private var isBonded: Bool

  /// How often the level of a socket is looked at while it is being raised: the kernel tells of failure only.
  private static var securityInterval: UInt64 { 10_000_000 }
  /// PDUs read before anything else gets its turn.
  private static var readBound: Int { 256 }
  private static var pduBound: Int { 1024 }
  /// ATT Handle Value Indication.
  private static var indication: UInt8 { 0x1D }

  /// - Parameters:
  ///   - isBonded: whether a key for the meter is held, where the store does not know it: bluetoothd has its own.
  ///   - confirmation: who may answer whether records are deleted from the meter.
  public init(
    _ bearer: Bearer,
    meter: DeviceAddress,
    plan: CollectorPlan,
    store: Store,
    observer: Observer,
    agent: PairingAgent? = nil,
    isBonded: Bool? = nil,
    confirmation: Prompt = Prompt(.nobody)
  ) throws {
    self.bearer = bearer
    self.meter = meter
    self.store = store
    self.observer = observer
    self.agent = agent
    self.confirmation = confirmation
    var memory = try store.memory(of: meter)
    memory.isBonded = isBonded ?? memory.isBonded
    self.isBonded = memory.isBonded
    collector = RecordCollector(plan: plan, memory: memory, meter: meter)
  }

  /// Runs until the collector has finished, and stores the run.
  public mutating func run(_ loop: inout EventLoop) -> SyncRun {
    let startedAt = Self.wallClock()
    var buffer = [UInt8](repeating: 0, count: Self.pduBound)
    stopsHeard = loop.stopRequests
    loop.recorder?.beginLink()
    feed(.linkUp(mtu: bearer.receiveLimit, security: bearer.security))
    while finished == nil {
      let now = MonotonicClock.now()
      var deadline = collector.deadline
      if wantedLevel != nil { deadline = min(deadline ?? .max, now + Self.securityInterval) }
      let isWriting = !outgoing.isEmpty && wantedLevel == nil
      let agentInterests = agent?.interests ?? []
      let ready = loop.wait(
        [
          EventLoop.Interest(isLinkUp ? bearer.descriptor : -1),
          EventLoop.Interest(isLinkUp && isWriting ? bearer.descriptor : -1, writing: true),
          EventLoop.Interest(isConfirming ? confirmation.descriptor : -1),
        ] + agentInterests,
        until: deadline
      )
      if wantedLevel != nil {
        loop.recorder?.serve()
        pairingFailure = loop.recorder?.pairingFailure
      }
      if loop.stopRequests > stopsHeard { stop(loop.stopRequests) }
      if !agentInterests.isEmpty { agent?.serve(Array(ready[3...])) }
      if ready[2] { confirm(confirmation.read()) }
      if ready[1] { flush() }
      if wantedLevel != nil { lookAtSecurity() }
      if ready[0] { read(&buffer) }
      if let due = collector.deadline, MonotonicClock.now() >= due, finished == nil { feed(.tick) }
      if agent?.adapterIsGone == true { endLink(.adapterDown) }
    }
    var run = finished ?? SyncRun(outcome: .aborted)
    run.startedAt = startedAt
    if case .linkLost = run.outcome, agent?.hasFailedSecurity == true {
      // The kernel began to encrypt or pair by itself, at the meter's request, and the link ended over it.
      let failure = securityFailure(.securityRefused)
      run.outcome = isBonded ? .bondLost(failure) : .pairingFailed(failure)
    }
    do {
      try store.record(run: run, of: meter)
    } catch {
      // The records are safe or they are not, whatever becomes of the note about the run.
      observer.trouble("the run could not be noted in the store: \(error)")
    }
    return run
  }

  // MARK: Events in

  private mutating func feed(_ event: CollectorEvent) {
    guard finished == nil else { return }
    collector.handle(event, at: MonotonicClock.now(), into: &actions)
    perform()
  }

  private mutating func read(_ buffer: inout [UInt8]) {
    for _ in 0..<Self.readBound where isLinkUp && finished == nil {
      do throws(ChannelFailure) {
        guard try take(&buffer) else { return }
      } catch {
        // The kernel reports the end of the link before what came ahead of it.
        isEnding = true
        while error != .overrun, finished == nil, (try? take(&buffer)) == true {}
        endLink(error)
      }
    }
  }

  /// Takes one PDU; false where none waits.
  private mutating func take(_ buffer: inout [UInt8]) throws(ChannelFailure) -> Bool {
    guard let count = try bearer.receive(into: &buffer) else {
      // What was dropped may have been the result itself: waiting for it would blame the meter.
      if bearer.droppedPackets > 0 { throw .overrun }
      return false
    }
    // The result of a procedure counts only where nothing that came before it was dropped.
    if buffer[0] == Self.indication, bearer.droppedPackets > 0 { throw .overrun }
    let bytes = unsafe buffer.span.bytes
    collector.receive(bytes.extracting(0..<min(count, buffer.count)), at: MonotonicClock.now(), into: &actions)
    perform()
    return true
  }

  private mutating func stop(_ requests: Int) {
    let isFirst = stopsHeard == 0
    stopsHeard = requests
    feed(.abortRequested)
    // The second time there is no waiting for the meter's answer.
    if !isFirst { endLink(.stopped) }
  }

  private mutating func confirm(_ reply: Prompt.Reply) {
    guard isConfirming, reply != .pending else { return }
    isConfirming = false
    if case .line(let text) = reply {
      feed(.deletionConfirmed(text.lowercased() == "delete"))
    } else {
      feed(.deletionConfirmed(false))
    }
  }

  // MARK: Security

  private mutating func raise(_ level: UInt8) {
    do throws(ChannelFailure) {
      try bearer.raiseSecurity(to: level)
      wantedLevel = level
      lookAtSecurity()
    } catch {
      feed(.securityFailed(securityFailure(error)))
    }
  }

  private mutating func lookAtSecurity() {
    guard let level = wantedLevel, isLinkUp else { return }
    if let failure = bearer.pendingFailure() { return endLink(failure) }
    let security = bearer.security
    if security.isEncrypted && security.level >= level {
      wantedLevel = nil
      feed(.securityChanged(security))
      flush()
    } else if agent?.failure != nil {
      wantedLevel = nil
      feed(.securityFailed(securityFailure(nil)))
    }
  }

  private func securityFailure(_ failure: ChannelFailure?) -> SecurityFailure {
    if failure == .keyMismatch { return .keyMismatch }
    if let known = agent?.failure, known == .passkey || known == .declined { return known }
    if let pairingFailure { return .pairing(pairingFailure) }
    return isBonded ? .keyMissing : agent?.failure ?? .other("the link was ended")
  }

  /// Whether a link ended over pairing or encryption: kernels differ in the error they give.
  private func concernsSecurity(_ failure: ChannelFailure) -> Bool {
    switch failure {
    case .securityRefused, .keyMismatch: true
    case .abandoned: wantedLevel != nil && agent?.adapterIsGone != true
    // A meter that only hung up has not lost its bond.
    default: wantedLevel != nil && (agent?.hasFailedSecurity == true || pairingFailure != nil)
    }
  }

  private mutating func endLink(_ failure: ChannelFailure) {
    guard isLinkUp else { return }
    isLinkUp = false
    // The reason may still be on its way through the control channel.
    if failure != .stopped { agent?.awaitReasons() }
    if concernsSecurity(failure) {
      feed(.securityFailed(securityFailure(failure)))
    }
    wantedLevel = nil
    bearer.disconnect()
    feed(.linkLost(reason: FailureText.reason(failure)))
  }

  // MARK: Actions out

  private mutating func perform() {
    while !actions.isEmpty && finished == nil {
      let action = actions.removeFirst()
      switch action {
      case .send(let pdu): send(pdu)
      case .raiseSecurity(let level): raise(level)
      case .lookUp(let epoch, let sequenceNumber):
        keep { driver in
          .lookedUp(try driver.store.records(of: driver.meter, epoch: epoch, sequenceNumber: sequenceNumber))
        }
      case .commit(let batch): keep { driver in .committed(try driver.store.commit(batch, for: driver.meter)) }
      case .rememberAttributes(let cache): remember { try $0.store.remember(attributes: cache, of: $0.meter) }
      case .rememberIdentity(let identity): remember { try $0.store.remember(identity: identity) }
      case .rememberUnsupported(let requests): remember { try $0.store.remember(unsupported: requests, of: $0.meter) }
      case .confirmDeletion(let ranges, let records):
        isConfirming = true
        confirm(confirmation.ask(observer.deletionQuestion(ranges, records: records)))
      case .notice(let notice): observer.notice(notice)
      case .progress(let progress): observer.progress(progress)
      case .disconnect:
        isLinkUp = false
        bearer.disconnect()
      case .finished(let run): finished = run
      }
    }
  }

  private mutating func keep(_ work: (inout Self) throws -> CollectorEvent) {
    do {
      let event = try work(&self)
      feed(event)
    } catch {
      feed(.storeFailed("\(error)"))
    }
  }

  /// What the store cannot remember costs the next run time, not records.
  private mutating func remember(_ work: (inout Self) throws -> Void) {
    do {
      try work(&self)
    } catch {
      observer.trouble("the store could not remember what was learned of the meter: \(error)")
    }
  }

  private mutating func send(_ pdu: [UInt8]) {
    guard !isEnding else { return }
    outgoing.append(pdu)
    flush()
  }

  private mutating func flush() {
    while isLinkUp, let pdu = outgoing.first {
      do throws(ChannelFailure) {
        guard try bearer.send(pdu) else { return }
        outgoing.removeFirst()
      } catch {
        endLink(error)
      }
    }
  }

  private static func wallClock() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
  }
}

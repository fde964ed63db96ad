import BluetoothWire
import HealthProfiles
import RecordCollector
import ScriptedMeter
import Testing

/// A collector, a meter and a store on one simulated clock.
struct Rig {
  static let address = DeviceAddress(value: 0xF00D_CAFE_0001, isRandom: true)

  var meter: ScriptedMeter
  var keeper = MemoryKeeper()
  var now: UInt64 = 1_000_000_000
  /// What pairing or encryption comes to; nil: it succeeds.
  var securityFailure: SecurityFailure?
  /// What a person says to a deletion.
  var confirmsDeletion = true
  /// Wanted by a person after so many measurements.
  var abortsAfter: Int?
  /// Wanted by a person when the meter is busy.
  var abortsWhenBusy = false
  /// Which notification, counted over all links, the host drops without a word.
  var drops: Set<Int> = []
  var notified = 0
  var notices: [CollectorNotice] = []
  /// All PDUs the collector sent on the latest link.
  var sent: [[UInt8]] = []
  var asked: [[ClosedRange<UInt16>]] = []
  /// How many PDUs crossed the air on the latest link, both ways.
  var crossings = 0
  /// What the store held when Delete was written.
  var heldAtDelete: [Int] = []
  var raised: [UInt8] = []
  /// Everything that crossed the air on all links.
  var air: [Crossing] = []

  /// Something that crossed the air, and when.
  struct Crossing {
    enum Kind {
      case linkUp
      case fromCollector([UInt8])
      case fromMeter([UInt8])
      case paired
      case encrypted
      case disconnected
      case lost
    }

    var time: UInt64
    var kind: Kind
  }

  init(_ meter: ScriptedMeter) { self.meter = meter }

  /// What the meter and its person see on the way: the octets written to the control point.
  var requests: [[UInt8]] { meter.requests }

  /// One link from its start to its end; with `cut` it is lost when so many PDUs have crossed.
  @discardableResult
  mutating func sync(_ plan: CollectorPlan = CollectorPlan(), cut: Int? = nil) -> SyncRun {
    now += 60_000_000_000
    var collector = RecordCollector(plan: plan, memory: keeper.meterMemory, meter: Self.address)
    var actions: [CollectorAction] = []
    var isUp = true
    var hasAborted = false
    crossings = 0
    sent = []
    notices = []
    raised = []
    meter.connect(at: now)
    log(.linkUp)
    collector.handle(.linkUp(mtu: 512, security: .none), at: now, into: &actions)
    for _ in 0..<2_000_000 {
      while !actions.isEmpty {
        let action = actions.removeFirst()
        switch action {
        case .send(let pdu):
          guard isUp else { continue }
          sent.append(pdu)
          log(.fromCollector(pdu))
          if pdu.first == 0x12, pdu.count > 3, pdu[3] == 2, pdu.count == 10 { heldAtDelete.append(heldCount) }
          meter.receive(pdu, at: now)
          crossings += 1
        case .raiseSecurity(let level):
          raised.append(level)
          if let securityFailure {
            collector.handle(.securityFailed(securityFailure), at: now, into: &actions)
          } else {
            log(meter.isBonded ? .encrypted : .paired)
            meter.isEncrypted = true
            meter.isAuthenticated = level >= 3
            meter.isBonded = true
            keeper.meterMemory.isBonded = true
            collector.handle(.securityChanged(LinkSecurity(level: level, keySize: 16)), at: now, into: &actions)
          }
        case .lookUp(let epoch, let number):
          let held = (try? keeper.records(of: Self.address, epoch: epoch, sequenceNumber: number)) ?? []
          collector.handle(.lookedUp(held), at: now, into: &actions)
        case .commit(let batch):
          do {
            let receipt = try keeper.commit(batch, for: Self.address)
            collector.handle(.committed(receipt), at: now, into: &actions)
          } catch {
            collector.handle(.storeFailed("no space"), at: now, into: &actions)
          }
        case .rememberAttributes(let attributes): try? keeper.remember(attributes: attributes, of: Self.address)
        case .rememberIdentity(let identity): try? keeper.remember(identity: identity)
        case .rememberUnsupported(let requests): try? keeper.remember(unsupported: requests, of: Self.address)
        case .confirmDeletion(let ranges, _):
          asked.append(ranges)
          collector.handle(.deletionConfirmed(confirmsDeletion), at: now, into: &actions)
        case .notice(let notice):
          notices.append(notice)
          if abortsWhenBusy, case .busy = notice { collector.handle(.abortRequested, at: now, into: &actions) }
        case .progress(let progress):
          if let abortsAfter, progress.records >= abortsAfter, !hasAborted {
            hasAborted = true
            collector.handle(.abortRequested, at: now, into: &actions)
          }
        case .disconnect:
          isUp = false
          log(.disconnected)
        case .finished(let run):
          #expect(collector.deadline == nil)
          try? keeper.record(run: run, of: Self.address)
          return run
        }
        if isUp, let cut, crossings >= cut {
          isUp = false
          log(.lost)
          collector.handle(.linkLost(reason: "0x08"), at: now, into: &actions)
        }
      }
      let times = [isUp ? meter.nextDue : nil, collector.deadline].compactMap { $0 }
      guard let next = times.min() else {
        Issue.record("nothing is waited for")
        return SyncRun(outcome: .aborted)
      }
      now = max(now, next)
      if isUp, let due = meter.nextDue, due <= now {
        for pdu in meter.due(at: now) {
          guard isUp else { break }
          if pdu.isEmpty {
            isUp = false
            log(.lost)
            collector.handle(.linkLost(reason: "0x13"), at: now, into: &actions)
            break
          }
          crossings += 1
          if pdu.first == 0x1B {
            notified += 1
            if drops.contains(notified) { continue }
          }
          log(.fromMeter(pdu))
          if crossings % 2 == 0 {
            collector.handle(.received(pdu), at: now, into: &actions)
          } else {
            collector.receive(pdu.span.bytes, at: now, into: &actions)
          }
          if let cut, crossings >= cut {
            isUp = false
            log(.lost)
            collector.handle(.linkLost(reason: "0x08"), at: now, into: &actions)
          }
        }
      }
      if let deadline = collector.deadline, deadline <= now { collector.handle(.tick, at: now, into: &actions) }
    }
    Issue.record("the run does not end")
    return SyncRun(outcome: .aborted)
  }

  private mutating func log(_ kind: Crossing.Kind) { air.append(Crossing(time: now, kind: kind)) }

  var heldCount: Int { keeper.held.values.reduce(0) { $0 + $1.count } }

  /// Syncs again, as a person would, until a run is complete.
  mutating func syncUntilComplete(_ plan: CollectorPlan = CollectorPlan(), limit: Int = 6) -> SyncRun {
    var run = sync(plan)
    for _ in 0..<limit where !run.outcome.isComplete { run = sync(plan) }
    return run
  }

  /// Every record the meter holds, once, with its content and context, and nothing else in the epoch.
  func expectHeld(
    _ records: [MeterRecord]? = nil,
    epoch: UInt32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let expected = Set((records ?? meter.records).map { Fact($0) })
    let held = keeper.held[epoch, default: []]
    #expect(held.count == expected.count, sourceLocation: sourceLocation)
    #expect(Set(held.map { Fact($0) }) == expected, sourceLocation: sourceLocation)
  }

  /// What a record says, in a form that does not depend on the report it came in.
  struct Fact: Hashable {
    var number: UInt16
    var value: [UInt8]
    var offset: Int16?
    var contexts: [[UInt8]]

    init(_ record: MeterRecord) {
      let sent = CollectedRecord(sequenceNumber: record.number, value: record.measurement(withOffset: true))
      number = record.number
      value = sent.valueWithoutOffset
      offset = record.offset
      contexts = record.context.map { [$0] } ?? []
    }

    init(_ record: CollectedRecord) {
      number = record.sequenceNumber
      value = record.valueWithoutOffset
      offset = record.offset
      contexts = record.contexts.map(\.value)
    }
  }
}

import BluetoothWire
import HealthProfiles
import RecordCollector
import ScriptedMeter
import Testing

/// Whatever a meter answers, a run ends, and after a number of requests that is known beforehand.
@Suite struct EveryRunEndsTests {
  /// The requests of a run that asks for everything it may ask for: 10 transfers, each with its checks.
  private static let requestLimit = 150

  /// A meter that does not know "last", and is emptied by its user.
  @Test func anEmptiedMeterHasNothingNew() {
    var rig = Rig(ScriptedMeter(records: 5))
    rig.meter.faults.refusesLast = 4
    rig.sync()
    rig.meter.records = []
    #expect(rig.sync().outcome == .nothingNew)
    #expect(rig.requests.dropFirst(2) == [[1, 3, 1, 6, 0], [1, 6], [1, 3, 1, 5, 0], [1, 1]])
    #expect(rig.sync().outcome == .nothingNew)
    rig.meter.add(2)
    #expect(rig.sync().outcome == .synced(new: 2))
    #expect(rig.heldCount == 7)
  }

  /// One silence at "last" was remembered, and the meter is emptied later.
  @Test func anEmptiedMeterThatWasSilentOnceHasNothingNew() {
    var rig = Rig(ScriptedMeter(records: 5))
    rig.sync()
    rig.meter.faults.refusals = [[1, 6]: .silence]
    #expect(rig.sync().outcome == .timedOut(.recordAccess))
    rig.meter.faults.refusals = [:]
    rig.meter.records = []
    #expect(rig.sync().outcome == .nothingNew)
    #expect(rig.requests.suffix(3) == [[1, 3, 1, 6, 0], [1, 3, 1, 5, 0], [1, 1]])
  }

  @Test func anEmptiedMeterWhoseNumbersAreUsedUpHasNothingNew() {
    var meter = ScriptedMeter()
    meter.nextNumber = 65_531
    meter.add(5)
    meter.faults.refusesLast = 4
    var rig = Rig(meter)
    rig.sync()
    #expect(rig.keeper.meterMemory.mark == 65_535)
    rig.meter.records = []
    let before = rig.requests.count
    #expect(rig.sync().outcome == .nothingNew)
    #expect(rig.requests.dropFirst(before) == [[4, 1], [1, 6], [1, 3, 1, 0xFF, 0xFF], [1, 1]])
  }

  /// "Last" gives a record that no other request does.
  @Test func aLastRecordThatNothingElseGivesEndsTheRun() {
    var rig = Rig(ScriptedMeter(records: 5))
    rig.sync()
    rig.meter.add(1)
    rig.meter.faults.hidesAllButTheLast = true
    let before = rig.requests.count
    #expect(rig.sync().outcome.isComplete)
    #expect(
      rig.requests.dropFirst(before) == [[1, 3, 1, 6, 0], [1, 6], [1, 3, 1, 6, 0], [1, 6], [1, 1]]
    )
    rig.meter.faults.hidesAllButTheLast = false
    #expect(rig.sync().outcome == .synced(new: 1))
    rig.expectHeld()
  }

  /// The response is indicated again and again, and the write never answered.
  @Test func responsesWithoutEndDoNotPutOffTheEnd() throws {
    var base = Rig(ScriptedMeter(records: 5))
    base.sync()
    let control = try #require(base.keeper.meterMemory.attributes?.recordAccess.value)
    var collector = RecordCollector(plan: CollectorPlan(), memory: base.keeper.meterMemory, meter: Rig.address)
    var actions: [CollectorAction] = []
    var meter = base.meter
    var now: UInt64 = 1_000_000_000_000
    meter.connect(at: now)
    meter.isEncrypted = true
    collector.handle(.linkUp(mtu: 247, security: LinkSecurity(level: 2, keySize: 16)), at: now, into: &actions)
    var writtenAt: UInt64?
    for _ in 0..<200 {
      while !actions.isEmpty {
        guard case .send(let pdu) = actions.removeFirst() else { continue }
        if pdu.starts(with: [0x12, UInt8(control)]) { writtenAt = now } else { meter.receive(pdu, at: now) }
      }
      while let due = meter.nextDue {
        now = max(now, due)
        for pdu in meter.due(at: now) { collector.handle(.received(pdu), at: now, into: &actions) }
      }
      guard actions.isEmpty, let start = writtenAt else { continue }
      now += 1_000_000_000
      collector.handle(.tick, at: now, into: &actions)
      collector.handle(.received([0x1D, UInt8(control), 0, 6, 0, 1, 6]), at: now, into: &actions)
      if actions.contains(where: { if case .finished = $0 { true } else { false } }) {
        #expect(now - start <= 10_000_000_000)
        return
      }
    }
    Issue.record("the run does not end")
  }

  /// Every request to the control point is answered by chance, legally or not; the rest of the meter is sound.
  @Test(arguments: 1...400 as ClosedRange<UInt64>)
  func randomProceduresEnd(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var keeper = MemoryKeeper()
    var base = Rig(ScriptedMeter(records: 6))
    if seed % 4 != 0 { base.sync() }
    keeper = base.keeper
    if seed % 7 == 0, keeper.meterMemory.mark != nil { keeper.meterMemory.mark = 65_535 }
    for _ in 0..<6 {
      let selections: [CollectorPlan.Selection] = [.increment, .increment, .increment, .all, .range(2...9)]
      let plan = CollectorPlan(
        selection: selections[Int(random.next() % 5)],
        countFirst: random.next() % 4 == 0,
        deleteAfterSync: random.next() % 4 == 0,
        hostCountsDrops: random.next() % 2 == 0
      )
      var meter = base.meter
      try play(&meter, plan, &keeper, &random, seed)
    }
  }

  private func play(
    _ meter: inout ScriptedMeter,
    _ plan: CollectorPlan,
    _ keeper: inout MemoryKeeper,
    _ random: inout SeededGenerator,
    _ seed: UInt64
  ) throws {
    var now: UInt64 = 1_000_000_000_000
    var collector = RecordCollector(plan: plan, memory: keeper.meterMemory, meter: Rig.address)
    var actions: [CollectorAction] = []
    var requests = 0
    let isPatient = random.next() % 4 != 0
    meter.isBonded = true
    meter.connect(at: now)
    meter.isEncrypted = true
    let handles = ScriptedMeter.handles
    collector.handle(.linkUp(mtu: 247, security: LinkSecurity(level: 2, keySize: 16)), at: now, into: &actions)
    for _ in 0..<20_000 {
      while !actions.isEmpty {
        switch actions.removeFirst() {
        case .send(let pdu):
          guard pdu.count > 3, pdu[0] == 0x12, pdu[1] == UInt8(handles.recordAccess) else {
            meter.receive(pdu, at: now)
            continue
          }
          requests += 1
          for answer in Self.answers(Array(pdu.dropFirst(3)), handles, isPatient, &random) {
            collector.handle(answer, at: now, into: &actions)
          }
        case .lookUp(let epoch, let number):
          let held = try keeper.records(of: Rig.address, epoch: epoch, sequenceNumber: number)
          collector.handle(.lookedUp(held), at: now, into: &actions)
        case .commit(let batch):
          collector.handle(.committed(try keeper.commit(batch, for: Rig.address)), at: now, into: &actions)
        case .rememberUnsupported(let requests): try keeper.remember(unsupported: requests, of: Rig.address)
        case .rememberAttributes(let cache): try keeper.remember(attributes: cache, of: Rig.address)
        case .confirmDeletion: collector.handle(.deletionConfirmed(true), at: now, into: &actions)
        case .finished:
          #expect(requests <= Self.requestLimit, "seed \(seed)")
          return
        default: break
        }
      }
      guard let next = [meter.nextDue, collector.deadline].compactMap({ $0 }).min() else {
        Issue.record("seed \(seed): nothing is waited for")
        return
      }
      now = max(now, next)
      for pdu in meter.due(at: now) { collector.handle(.received(pdu), at: now, into: &actions) }
      if let deadline = collector.deadline, deadline <= now { collector.handle(.tick, at: now, into: &actions) }
    }
    Issue.record("seed \(seed): the run does not end after \(requests) requests")
  }

  /// What a meter without a plan does when something is written to its control point.
  private static func answers(
    _ request: [UInt8],
    _ handles: ScriptedMeter.Handles,
    _ isPatient: Bool,
    _ random: inout SeededGenerator
  ) -> [CollectorEvent] {
    func chance(_ of: UInt64) -> Bool { random.next() % of == 0 }
    var events: [CollectorEvent] = []
    if chance(40) { return [.received([0x01, 0x12, UInt8(handles.recordAccess), 0, chance(2) ? 0x80 : 0x81])] }
    if !isPatient && chance(20) { return [.linkLost(reason: "chance")] }
    if chance(60) { return [] }
    if !chance(30) { events.append(.received([0x13])) }
    if chance(50) { return events }
    let opCode = request.first ?? 0
    if opCode == 1 {
      for _ in 0..<(random.next() % 4) {
        let number = chance(10) ? UInt16(truncatingIfNeeded: random.next()) : UInt16(random.next() % 10)
        let record = MeterRecord(
          number: number,
          baseTime: DateTime(year: 2026, month: 1, day: UInt8(1 + random.next() % 9), hours: UInt8(number % 24)),
          offset: Int16(random.next() % 2) * 60,
          concentration: 100 + number % 5,
          meal: chance(4) ? 1 : nil
        )
        var value = record.measurement(withOffset: !chance(4))
        if chance(12) { value.removeLast(3) }
        events.append(.received(AttributeEncoding.notification(handles.measurement, value)))
        if let context = record.context, !chance(3) {
          events.append(.received(AttributeEncoding.notification(handles.context, context)))
        }
      }
    }
    var response: [UInt8]
    switch random.next() % 10 {
    case 0: response = [6, 0, opCode, UInt8(random.next() % 12)]
    case 1: response = [6, 0, opCode, 6]
    case 2: response = [5, 0, UInt8(random.next() % 9), 0]
    case 3 where chance(2): response = [UInt8(random.next() % 9), 0, UInt8(random.next() % 9)]
    default: response = opCode == 4 ? [5, 0, UInt8(random.next() % 9), 0] : [6, 0, opCode, 1]
    }
    if chance(25) { response = [] }
    if !response.isEmpty {
      events.append(.received(AttributeEncoding.indication(handles.recordAccess, response)))
    }
    if !isPatient && chance(10) { events.append(.linkLost(reason: "chance")) }
    return events
  }
}

import BluetoothWire
import HealthProfiles
import RecordCollector
import ScriptedMeter
import Testing

/// Whatever a meter sends is a value: nothing traps, and every run ends.
@Suite struct HostileTests {
  /// Answers every PDU with random ones, often of the right op code.
  @Test(arguments: 1...150 as ClosedRange<UInt64>)
  func randomAnswersNeverTrap(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let memory = seed % 3 == 0 ? cachedMemory : MeterMemory(isBonded: seed % 2 == 0)
    var collector = RecordCollector(plan: CollectorPlan(countFirst: seed % 5 == 0), memory: memory, meter: Rig.address)
    var actions: [CollectorAction] = []
    var now: UInt64 = 0
    var end: SyncRun?
    collector.handle(.linkUp(mtu: 185, security: .none), at: now, into: &actions)
    for _ in 0..<20_000 where end == nil {
      let pending = actions
      actions = []
      for action in pending {
        switch action {
        case .send(let pdu):
          for answer in answers(to: pdu, &random) { collector.handle(.received(answer), at: now, into: &actions) }
        case .raiseSecurity(let level):
          collector.handle(.securityChanged(LinkSecurity(level: level, keySize: 16)), at: now, into: &actions)
        case .lookUp: collector.handle(.lookedUp([]), at: now, into: &actions)
        case .commit(let batch):
          collector.handle(.committed(CommitReceipt(stored: batch.records.count)), at: now, into: &actions)
        case .finished(let run): end = run
        default: break
        }
      }
      if actions.isEmpty, let deadline = collector.deadline {
        now = max(now, deadline)
        collector.handle(.tick, at: now, into: &actions)
      }
    }
    #expect(end != nil)
  }

  private var cachedMemory: MeterMemory {
    var rig = Rig(ScriptedMeter(records: 5))
    rig.sync()
    return rig.keeper.meterMemory
  }

  private func answers(to pdu: [UInt8], _ random: inout SeededGenerator) -> [[UInt8]] {
    guard let opcode = pdu.first, opcode != 0x1E else { return [] }
    var list: [[UInt8]] = []
    for _ in 0..<(random.next() % 4) {
      var answer = (0..<(random.next() % 24)).map { _ in UInt8(truncatingIfNeeded: random.next() % 17) }
      let kind: [UInt8] = [opcode &+ 1, opcode &+ 1, 0x1B, 0x1D, 0x01, 0x23, UInt8(truncatingIfNeeded: random.next())]
      let first = kind[Int(random.next() % UInt64(kind.count))]
      answer.insert(first, at: 0)
      if first == 0x01, answer.count > 4 { answer[1] = opcode }
      if opcode == 0x10, first == 0x11 { answer = [0x11, 6, 1, 0, 0xFF, 0xFF, 0x08, 0x18] }
      if opcode == 0x08, first == 0x09, answer.count > 1 { answer[1] = 7 }
      list.append(answer)
    }
    return list
  }

  @Test func shortAndLongValuesAreToldAndNotStored() {
    var rig = Rig(ScriptedMeter(records: 3))
    rig.sync()
    guard let attributes = rig.keeper.meterMemory.attributes else {
      Issue.record("no handles")
      return
    }
    let handle = attributes.measurement.value
    rig.meter.faults.ownRequests = [AttributeEncoding.notification(handle, [1, 2])]
    // Before the request nothing is expected, and nothing is taken.
    #expect(rig.sync().outcome == .nothingNew)
    rig.expectHeld()
  }

  @Test func manyHandleValuesInOnePDUAreRecords() {
    var rig = Rig(ScriptedMeter(records: 6))
    rig.sync()
    var collector = RecordCollector(
      plan: CollectorPlan(selection: .all),
      memory: rig.keeper.meterMemory,
      meter: Rig.address
    )
    var actions: [CollectorAction] = []
    func feed(_ pdu: [UInt8]) { collector.handle(.received(pdu), at: 1, into: &actions) }
    guard let places = rig.keeper.meterMemory.attributes else {
      Issue.record("no handles")
      return
    }
    collector.handle(.linkUp(mtu: 23, security: LinkSecurity(level: 2, keySize: 16)), at: 0, into: &actions)
    let control = places.recordAccess
    feed([0x09, 7, UInt8(control.declaration), 0, control.properties, UInt8(control.value), 0, 0x52, 0x2A])
    feed([0x0B, 3, 4])
    feed([0x0B] + [UInt8](repeating: 1, count: 10))
    for _ in 0..<4 { feed([0x13]) }
    actions = []
    var many: [UInt8] = [0x23]
    for record in rig.meter.records.prefix(2) {
      let value = record.measurement(withOffset: true)
      many += [UInt8(places.measurement.value), 0, UInt8(value.count), 0] + value
    }
    feed(many + [1])
    feed([0x1D, UInt8(control.value), 0, 6, 0, 1, 1])
    #expect(actions.contains(.send([0x1E])))
    #expect(actions.contains { if case .send(let pdu) = $0 { pdu.suffix(2) == [4, 1] } else { false } })
    feed([0x13])
    feed([0x1D, UInt8(control.value), 0, 5, 0, 2, 0])
    #expect(actions.contains(.lookUp(epoch: 0, sequenceNumber: 2)))
  }
}

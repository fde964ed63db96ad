import BluetoothWire
import HealthProfiles
import RecordCollector
import ScriptedMeter
import Testing

@Suite struct ThroughputTests {
  /// 10,000 records cost their own round trips and no more, and little time each even without optimisation.
  @Test func tenThousandRecordsInOneProcedure() {
    var rig = Rig(ScriptedMeter(records: 3))
    rig.sync()
    let fewRoundTrips = rig.sent.filter { $0.first != 0x1E }.count
    guard let places = rig.keeper.meterMemory.attributes else {
      Issue.record("no handles")
      return
    }
    var memory = rig.keeper.meterMemory
    memory.mark = nil
    var collector = RecordCollector(plan: CollectorPlan(), memory: memory, meter: Rig.address)
    var actions: [CollectorAction] = []
    func feed(_ pdu: [UInt8]) { collector.handle(.received(pdu), at: 1, into: &actions) }
    collector.handle(.linkUp(mtu: 23, security: LinkSecurity(level: 2, keySize: 16)), at: 0, into: &actions)
    let control = places.recordAccess
    feed([0x09, 7, UInt8(control.declaration), 0, control.properties, UInt8(control.value), 0, 0x52, 0x2A])
    feed([0x0B, 3, 4])
    feed([0x0B] + [UInt8](repeating: 1, count: 10))
    for _ in 0..<4 { feed([0x13]) }
    let pdus = ScriptedMeter(records: 10_000).records.map {
      AttributeEncoding.notification(places.measurement.value, $0.measurement(withOffset: $0.number == 1))
    }
    actions = []
    let clock = ContinuousClock()
    let took = clock.measure {
      for pdu in pdus { collector.receive(pdu.span.bytes, at: 2, into: &actions) }
      feed([0x1D, UInt8(control.value), 0, 6, 0, 1, 1])
    }
    print("collector: \(took / pdus.count) a record")
    #expect(took < .milliseconds(1_000))
    feed([0x13])
    #expect(fewRoundTrips > 0)
    #expect(actions.contains { if case .send(let pdu) = $0 { pdu.suffix(2) == [4, 1] } else { false } })
    #expect(actions.filter { if case .send = $0 { true } else { false } }.count == 2)
  }
}

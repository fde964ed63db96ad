import BluetoothWire
import HealthProfiles
import RecordCollector
import ScriptedMeter

/// Replays one report of many records into the collector and prints what a record costs: from its notification to the
/// batch for the store. The fastest of five runs counts.
@main enum MeasureCollector {
  private static let meter = DeviceAddress(value: 0xF00D_CAFE_0001, isRandom: true)
  private static let count = 50_000

  static func main() {
    let records = ScriptedMeter(records: count).records.map { record in
      AttributeEncoding.notification(7, record.measurement(withOffset: record.number == 1))
    }
    var best = Duration.seconds(3_600)
    for _ in 0..<5 { best = min(best, replay(records)) }
    let nanoseconds = best / count
    print("collector: \(nanoseconds.components.attoseconds / 1_000_000_000) ns a record of \(count) in one report")
  }

  /// What the collector knows of a meter it has met before: nothing is discovered.
  private static var memory: MeterMemory {
    MeterMemory(
      attributes: AttributeCache(
        glucoseService: 5...16,
        measurement: .init(declaration: 6, value: 7, properties: 0x10, configuration: 8),
        context: .init(declaration: 9, value: 10, properties: 0x10, configuration: 11),
        feature: .init(declaration: 12, value: 13, properties: 0x02),
        recordAccess: .init(declaration: 14, value: 15, properties: 0x28, configuration: 16)
      ),
      isBonded: true,
      identity: SensorIdentity(address: meter)
    )
  }

  private static func replay(_ records: [[UInt8]]) -> Duration {
    var collector = RecordCollector(plan: CollectorPlan(), memory: memory, meter: meter)
    var actions: [CollectorAction] = []
    collector.handle(.linkUp(mtu: 23, security: LinkSecurity(level: 2, keySize: 16)), at: 0, into: &actions)
    // The probe of the control point's declaration, the feature, three subscriptions and the request.
    let answers: [[UInt8]] = [
      [0x09, 7, 14, 0, 0x28, 15, 0, 0x52, 0x2A], [0x0B, 3, 4], [0x13], [0x13], [0x13], [0x13],
    ]
    for answer in answers { collector.handle(.received(answer), at: 1, into: &actions) }
    let clock = ContinuousClock()
    let spent = clock.measure {
      for record in records { collector.receive(record.span.bytes, at: 2, into: &actions) }
      // Success, and the count that proves it: 50,000.
      for end in [[0x1D, 15, 0, 6, 0, 1, 1], [0x13], [0x1D, 15, 0, 5, 0, 0x50, 0xC3]] as [[UInt8]] {
        collector.handle(.received(end), at: 3, into: &actions)
      }
      for second in 1...40 { collector.handle(.tick, at: UInt64(second) * 1_000_000_000, into: &actions) }
    }
    let committed = actions.reduce(0) { sum, action in
      if case .commit(let batch) = action { sum + batch.records.count } else { sum }
    }
    precondition(committed == records.count, "the collector committed \(committed) of \(records.count) records")
    return spent
  }
}

import BluetoothWire
import CaptureFiles
import LinkTrace
import ProtocolLint
import RecordCollector
import Scenarios
import ScriptedMeter
import Testing

/// The analyser's rules find nothing wrong with the collector's side, whatever the meter does.
@Suite struct LintTests {
  @Test(arguments: CutTests.faults.indices)
  func noRuleBlamesTheCollector(fault: Int) throws {
    var rig = Rig(ScriptedMeter(records: 12))
    CutTests.faults[fault].change(&rig.meter.faults)
    rig.sync(CollectorPlan(countFirst: true))
    rig.meter.add(4)
    rig.sync()
    rig.sync()
    #expect(rig.heldCount == 16)
    let blamed = try findings(of: rig).filter { $0.fault == .collector || $0.fault == .hostStack }
    #expect(blamed.isEmpty, "\(CutTests.faults[fault].name): \(blamed.map { "\($0.rule) \($0.frames)" })")
  }

  @Test func norAfterALostLinkAnAbortOrADeletion() throws {
    var rig = Rig(ScriptedMeter(records: 40))
    rig.sync(cut: 60)
    rig.abortsAfter = 10
    rig.sync()
    rig.abortsAfter = nil
    rig.sync(CollectorPlan(deleteAfterSync: true))
    #expect(rig.meter.records.isEmpty)
    let blamed = try findings(of: rig).filter { $0.fault == .collector }
    #expect(blamed.isEmpty, "\(blamed.map { "\($0.rule) \($0.frames)" })")
  }

  /// What the rules say of a capture of everything that crossed the air.
  private func findings(of rig: Rig) throws -> [Finding] {
    var steps: [Step] = [.pace(microseconds: 1)]
    var before = rig.air.first?.time ?? 0
    for crossing in rig.air {
      let pause = (crossing.time - before) / 1_000_000
      if pause > 0 { steps.append(.wait(milliseconds: Int(pause))) }
      before = crossing.time
      switch crossing.kind {
      case .linkUp: steps.append(.connect())
      case .fromCollector(let pdu): steps.append(.attribute(from: .collector, pdu))
      case .fromMeter(let pdu): steps.append(.attribute(from: .sensor, pdu))
      case .paired: steps.append(.pair())
      case .encrypted: steps.append(.encrypt())
      case .disconnected: steps.append(.disconnect())
      case .lost: steps.append(.linkLoss)
      }
    }
    let scenario = Scenario("collector", steps)
    var reader = try CaptureReader.open(.memory(scenario.capture(Rendering()), name: scenario.name))
    var tracker = LinkTracker(memory: TraceMemory())
    var findings: [Finding] = []
    var links = 0
    func judge() {
      while let history = tracker.takeEnded() {
        links += 1
        findings += LinkVerdicts(history, rules: RuleRegistry.linkRules).findings
      }
    }
    while let frame = reader.next() {
      if tracker.follow(frame, reader.bytes(of: frame)) { judge() }
    }
    tracker.finish()
    judge()
    #expect(links > 0)
    return findings
  }
}

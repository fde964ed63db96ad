import BluetoothWire
import CaptureFiles
import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

@testable import Reporting

/// Baselines over captures that were cut elsewhere, and fingerprints that stay.
@Suite struct BaselineTests {
  private static func judge(_ scenario: Scenario, _ rendering: Rendering = Rendering(), baseline: Baseline? = nil)
    throws -> LintCapture
  {
    var reader = try CaptureReader.open(.memory(scenario.capture(rendering), name: scenario.name))
    var tracker = LinkTracker()
    var report = LintReport(LintOptions())
    tracker.read(&reader, into: &report)
    tracker.finish(into: &report)
    let facts = CaptureFacts(reader, name: scenario.name, format: "btsnoop")
    return report.capture(facts, files: [scenario.name], baseline: baseline)
  }

  @Test(arguments: RuleRegistry.rules.flatMap { rule in rule.failing.map { ($0.scenario.name, $0) } })
  func aCutAtTheStartKeepsTheFingerprint(name: String, example: RuleExample) throws {
    let whole = try Self.judge(example.scenario, example.rendering)
    let known = whole.findings.map(\.finding)
    let baseline = Baseline([whole])
    let count = example.scenario.frames(example.rendering).count
    for place in 1...5 {
      var rendering = example.rendering
      rendering.cutFirst = count * place / 6
      for entry in try Self.judge(example.scenario, rendering, baseline: baseline).findings.map(\.finding) {
        guard known.contains(where: { $0.finding.rule == entry.finding.rule }) else { continue }
        let isKept = known.contains { $0.fingerprint == entry.fingerprint }
        #expect(isKept && entry.isSuppressed, "\(name) without the first \(rendering.cutFirst): \(entry.fingerprint)")
      }
    }
  }

  private static func overlap(_ value: UInt64) -> Scenario {
    var meter = Meter()
    meter.address = DeviceAddress(value: value, isRandom: true)
    return Scenario(
      "overlap",
      meter: meter,
      [
        .firstArrival, .report(.all), .accept, .records(1...3), .report(.all), .refuse(error: 0x80), .records(4...6),
        .result(.report, .success), .confirm, .farewell,
      ]
    )
  }

  @Test func anotherDeviceIsAnotherFinding() throws {
    let baseline = Baseline([try Self.judge(Self.overlap(0xF00D_CAFE_0001))])
    let same = try Self.judge(Self.overlap(0xF00D_CAFE_0001), baseline: baseline)
    #expect(!same.findings.isEmpty && same.findings.allSatisfy { $0.finding.isSuppressed })
    let other = try Self.judge(Self.overlap(0xF00D_CAFE_0002), baseline: baseline)
    #expect(other.findings.map(\.finding.fingerprint) == same.findings.map(\.finding.fingerprint))
    #expect(other.findings.allSatisfy { !$0.finding.isSuppressed })
  }

  @Test func aFindingWithoutItsDeviceIsMetByAny() throws {
    let found = try Self.judge(Self.overlap(0xF00D_CAFE_0001)).findings.map(\.finding)
    let fingerprint = try #require(found.first?.fingerprint)
    for device in ["", ", \"device\": \"unknown device\""] {
      let entry = "{\"fingerprint\": \"\(fingerprint)\"\(device)}"
      let text = "{\"schema\": \"racpscope/baseline/1\", \"findings\": [\(entry)]}"
      let baseline = try Baseline(Array(text.utf8))
      #expect(baseline.contains(fingerprint, device: "F0:0D:CA:FE:00:01"))
      #expect(baseline.contains(fingerprint, device: nil))
      #expect(!baseline.contains(fingerprint + " #2", device: nil))
    }
  }
}

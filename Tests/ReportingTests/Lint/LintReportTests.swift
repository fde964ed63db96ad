import CaptureFiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

@testable import Reporting

/// A judgement of rendered scenes, apart from the program around it.
@Suite struct LintReportTests {
  /// The scene of RACP-001's first failing example.
  private static func overlap() throws -> Scenario {
    let rule = RuleRegistry.linkRules.first { $0.description.identifier == "RACP-001" }
    return try #require(rule?.failing.first?.scenario)
  }

  private static func options(_ words: String...) -> LintOptions {
    var options = LintOptions()
    options.selection.selected = words.compactMap(RulePattern.init)
    return options
  }

  private static func judge(
    _ scenario: Scenario,
    _ options: LintOptions,
    _ rendering: Rendering = Rendering(),
    baseline: Baseline? = nil
  ) throws -> LintCapture {
    let octets = scenario.capture(rendering)
    var reader = try CaptureReader.open(.memory(octets, name: scenario.name))
    var tracker = LinkTracker()
    var report = LintReport(options)
    tracker.read(&reader, into: &report)
    tracker.finish(into: &report)
    let facts = CaptureFacts(reader, name: scenario.name, format: "btsnoop")
    return report.capture(facts, files: [scenario.name], baseline: baseline)
  }

  @Test func theExcerptMarksTheAnchor() throws {
    let capture = try Self.judge(try Self.overlap(), Self.options("RACP-001"))
    let entry = try #require(capture.findings.first?.finding)
    let marked = entry.excerpt.lines.filter(\.isMarked)
    #expect(marked.map(\.frame) == [entry.frame])
    #expect(marked[0].who == "collector")
    #expect(marked[0].text.contains("Record Access Control Point: report all"))
    let frames = entry.excerpt.lines.map(\.frame)
    #expect(frames == frames.sorted() && frames.count <= 12)
    // The request that was still running is shown however far away it is.
    for frame in entry.finding.frames { #expect(frames.contains(frame)) }
  }

  @Test func aPeripheralWithoutAHealthServiceIsNotJudged() throws {
    // An indication that stays unconfirmed, from a host that is no health device: battery, and a manufacturer's service.
    let discovery: [Step] = [
      .connect(), .askForServices(), .tellServices([.init(0x0010, 0x0018, 0x180F)]), .askForServices(from: 0x0019),
      .noMoreServices(from: 0x0019),
    ]
    let unconfirmed: [Step] = [
      .attribute(from: .sensor, [0x1D, 0x12, 0x00, 0x2A]), .wait(milliseconds: 40_000), .disconnect(),
    ]
    let known = try Self.judge(
      Scenario("known", discovery + unconfirmed),
      LintOptions(),
      Rendering(side: .sensor)
    )
    #expect(known.findings.isEmpty)
    // What was not discovered may be one.
    let unknown = try Self.judge(
      Scenario("unknown", [.connect(), .exchangeMTU(185)] + unconfirmed),
      LintOptions(),
      Rendering(side: .sensor)
    )
    #expect(unknown.findings.map(\.finding.finding.rule) == ["GATT-008"])
  }

  @Test func anIgnoredRuleKeepsWhatItExplainsSilent() throws {
    var options = LintOptions()
    let all = try Self.judge(try Self.overlap(), options)
    options.selection.ignored = [try #require(RulePattern("RACP-001"))]
    let rest = try Self.judge(try Self.overlap(), options)
    #expect(all.findings.count == rest.findings.count + 1)
    #expect(!rest.tallies.contains { $0.rule.identifier == "RACP-001" })
  }

  @Test func theLastLevelThatMatchesHolds() throws {
    var options = Self.options("RACP-001")
    let area = try #require(RulePattern("racp"))
    options.selection.levels = [(area, .note), (try #require(RulePattern("overlapping-procedures")), .warning)]
    let capture = try Self.judge(try Self.overlap(), options)
    #expect(capture.findings.map(\.finding.finding.level) == [.warning])
    options.selection.levels.append((area, nil))
    #expect(try Self.judge(try Self.overlap(), options).findings.isEmpty)
  }

  @Test func aBaselineIsReadBackAsItWasWritten() throws {
    let options = Self.options("RACP-001")
    let baseline = Baseline([try Self.judge(try Self.overlap(), options)])
    var output = OutputBuffer()
    baseline.write(to: &output)
    let read = try Baseline(output.octets)
    let capture = try Self.judge(try Self.overlap(), options, baseline: read)
    #expect(capture.counts == LintCounts(suppressed: 1))
    let run = LintRun(
      [capture],
      unreadable: [],
      options: options,
      threshold: .note,
      allowsEmpty: false,
      version: "1"
    )
    #expect(run.exitCode == 0)
  }

  @Test func aPairingThatFailedLeavesNothingToJudge() throws {
    let steps: [Step] = [.arrival, .exchangeMTU(185), .discoverGlucose, .pair(failure: 0x05), .farewell]
    let capture = try Self.judge(Scenario("refused", steps), LintOptions())
    #expect(capture.findings.contains { $0.finding.finding.level == .warning })
    func status(_ threshold: FailureThreshold, allowsEmpty: Bool = false) -> Int32 {
      LintRun(
        [capture],
        unreadable: [],
        options: LintOptions(),
        threshold: threshold,
        allowsEmpty: allowsEmpty,
        version: "1"
      ).exitCode
    }
    #expect(status(.error) == 3)
    #expect(status(.warning) == 1)
    #expect(status(.error, allowsEmpty: true) == 0)
  }

  @Test func rulesThatCouldNotJudgeAreGroupedByReason() throws {
    let scenario = try Self.overlap()
    let octets = scenario.capture(Rendering(clip: .headers))
    var reader = try CaptureReader.open(.memory(octets, name: "clipped"))
    var tracker = LinkTracker()
    var report = LintReport(LintOptions())
    tracker.read(&reader, into: &report)
    tracker.finish(into: &report)
    let facts = CaptureFacts(reader, name: "clipped", format: "btsnoop")
    let capture = report.capture(facts, files: ["clipped"], baseline: nil)
    #expect(Set(capture.reasons.map(\.reason)).count == capture.reasons.count)
    for tally in capture.tallies where !tally.reasons.isEmpty { #expect(tally.outcome != .pass) }
  }

  @Test func thresholdsAreALadder() {
    #expect(FailureThreshold.error.isMet(by: .error) && !FailureThreshold.error.isMet(by: .warning))
    #expect(FailureThreshold.warning.isMet(by: .warning) && !FailureThreshold.warning.isMet(by: .note))
    #expect(FailureThreshold.note.isMet(by: .note) && FailureThreshold.inconclusive.isMet(by: .note))
    #expect(!FailureThreshold.never.isMet(by: .error))
  }

  @Test func aSideAnswersForItsOwnFaults() {
    #expect(LintSide.sensor.answers(for: .sensor) && !LintSide.sensor.answers(for: .collector))
    #expect(LintSide.collector.answers(for: .hostStack) && !LintSide.collector.answers(for: .undetermined))
  }
}

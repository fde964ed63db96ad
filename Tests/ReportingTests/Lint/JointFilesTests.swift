import CaptureFiles
import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

@testable import Reporting

/// Captures given together: what may be connected, and what is a test of its own.
@Suite struct JointFilesTests {
  private static let day: Int64 = 86_400_000_000

  /// Each list of steps in a file of its own, a day after the one before.
  private static func run(
    _ parts: [[Step]],
    isHostShown: Bool = true,
    side: Party = .collector
  ) throws -> LintRun {
    let captures = try parts.enumerated().map { index, steps in
      let start = 1_772_611_200_000_000 + Int64(index) * day
      let scenario = Scenario("part-\(index + 1)", start: start, (isHostShown ? [.adapterAppears] : []) + steps)
      var reader = try CaptureReader.open(.memory(scenario.capture(Rendering(side: side)), name: scenario.name))
      var tracker = LinkTracker()
      var report = LintReport(LintOptions())
      tracker.read(&reader, into: &report)
      tracker.finish(into: &report)
      let facts = CaptureFacts(reader, name: scenario.name, format: "btsnoop")
      return report.capture(facts, files: [scenario.name], baseline: nil)
    }
    return LintRun(
      captures,
      unreadable: [],
      options: LintOptions(),
      threshold: .error,
      allowsEmpty: true,
      version: "test"
    )
  }

  private static func findings(_ run: LintRun, _ rule: RuleIdentifier) -> [(file: String, finding: Finding)] {
    run.captures.flatMap { capture in
      capture.findings.map { (file: capture.file, finding: $0.finding.finding) }.filter { $0.finding.rule == rule }
    }
  }

  @Test(arguments: Party.allCases)
  func whatOneFileTurnsOffIsOffInTheNext(side: Party) throws {
    let off: [Step] = [
      .firstArrival, .fetch(.all, 1...6), .subscribe(isOn: false), .farewell,
    ]
    let on: [Step] = [.firstArrival, .fetch(.all, 1...6), .farewell]
    let refused: [Step] = [
      .bondedArrival, .discoverGlucose, .report(.atLeast(7)), .refuse(error: 0x81), .farewell,
    ]
    let cleared = try Self.run([off, refused], side: side)
    let found = Self.findings(cleared, "GATT-003")
    #expect(found.map { $0.file } == ["part-2"])
    #expect(found.map { $0.finding.level } == [.error] && found.map { $0.finding.fault } == [.collector])
    // What was on is the sensor's to keep, and what lies between two files is not seen where the sensor goes along.
    let kept = try Self.run([on, refused], side: side)
    #expect(Self.findings(kept, "GATT-003").isEmpty)
    let accepted: [Step] = [.bondedArrival, .discoverGlucose, .fetchNothing(.atLeast(7)), .farewell]
    let silent = try Self.run([off, accepted], side: side)
    #expect(Self.findings(silent, "GATT-003").isEmpty && Self.findings(silent, "GATT-004").isEmpty)
  }

  @Test(arguments: Party.allCases)
  func whatOneFileTurnsOnIsOnInTheNext(side: Party) throws {
    let on: [Step] = [.firstArrival, .fetch(.all, 1...6), .farewell]
    let off: [Step] = [.firstArrival, .fetch(.all, 1...6), .subscribe(isOn: false), .farewell]
    let idle: [Step] = [.bondedArrival, .discoverGlucose, .wait(milliseconds: 900), .disconnect()]
    let mute: [Step] = [
      .bondedArrival, .discoverGlucose, .report(.atLeast(5)), .accept, .wait(milliseconds: 35_000), .disconnect(),
    ]
    let empty: [Step] = [
      .bondedArrival, .discoverGlucose, .report(.atLeast(5)), .accept, .result(.report, .success), .confirm, .farewell,
    ]
    // A bonded sensor that delivers nothing at all has forgotten what was turned on: that no result comes stands under it.
    for (rule, last) in [("GATT-006", mute), ("RACP-008", empty)] as [(RuleIdentifier, [Step])] {
      for parts in [[on, last], [on, idle, last], [on, idle + [.later(minutes: 9)] + last]] {
        let run = try Self.run(parts, side: side)
        let found = Self.findings(run, rule)
        #expect(found.map { $0.file } == ["part-\(parts.count)"])
        #expect(found.map { $0.finding.level } == [.error] && found.map { $0.finding.fault } == [.sensor])
        #expect(found.map { $0.finding.confidence } == [.likely])
        #expect(run.captures.last?.tallies.first { $0.rule.identifier == rule }?.reasons.isEmpty == true)
      }
      #expect(Self.findings(try Self.run([off, last], side: side), rule).isEmpty)
      #expect(Self.findings(try Self.run([idle, last], side: side), rule).isEmpty)
    }
  }

  /// A first sync up to the last number there is, and a request that wraps.
  private static let wrapped: [Step] = [
    .firstArrival, .fetch(.all, 65_530...65_535), .farewell, .later(minutes: 60), .bondedArrival,
    .fetch(.atLeast(0), 65_530...65_535), .farewell,
  ]

  @Test func aFaultOfOneTestDoesNotHideThatOfAnother() throws {
    let below: [Step] = [
      .firstArrival, .fetch(.all, 1...20), .farewell, .later(minutes: 60), .bondedArrival,
      .fetch(.atLeast(15), 15...22), .farewell,
    ]
    let joint = try Self.run([Self.wrapped, below])
    #expect(Self.findings(joint, "SEQ-008").map { $0.file } == ["part-1"])
    #expect(Self.findings(joint, "APP-004").map { $0.file } == ["part-2"])
  }

  @Test func whatANewBondBeginsIsNoWrap() throws {
    let joint = try Self.run([
      [.firstArrival, .fetch(.all, 65_530...65_535), .farewell],
      [.firstArrival, .fetch(.atLeast(0), 1...6), .farewell],
    ])
    #expect(Self.findings(joint, "SEQ-008").isEmpty)
  }

  @Test func aHabitStandsInOneFile() throws {
    let first: [Step] = [.firstArrival, .fetch(.all, 1...12), .farewell]
    let again: [Step] = [.bondedArrival, .fetch(.all, 1...12), .farewell]
    let apart = try #require(Self.findings(try Self.run([first, again, again]), "EFF-001").first)
    #expect(apart.finding.level == .note && apart.finding.confidence == .likely)
    let whole = first + [.later(minutes: 60)] + again + [.later(minutes: 60)] + again
    let together = try #require(Self.findings(try Self.run([whole]), "EFF-001").first)
    #expect(together.finding.level == .warning && together.finding.confidence == .certain)
  }

  @Test func aHostThatIsAssumedIsNotAccusedForCertain() throws {
    let broken: [Step] = [
      .firstArrival, .ask(answer: 30), .report(.all), .accept, .records(1...12), .wait(milliseconds: 2000), .linkLoss,
    ]
    let after: [Step] = [.bondedArrival, .fetchNothing(.atLeast(31)), .farewell]
    let shown = try #require(Self.findings(try Self.run([broken, after]), "SEQ-007").first?.finding)
    #expect(shown.level == .error && shown.confidence == .certain)
    let joint = try Self.run([broken, after], isHostShown: false)
    let assumed = try #require(Self.findings(joint, "SEQ-007").first?.finding)
    #expect(assumed.level == .warning && assumed.confidence == .likely)
  }

  @Test func theFeatureOfAnotherLinkCounts() throws {
    let first: [Step] = [
      .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .read(.feature, value: [0x01, 0x00]), .subscribe(),
      .fetch(.all, 1...2), .farewell,
    ]
    let second: [Step] = [
      .bondedArrival, .report(.atLeast(3)), .accept,
      .changedRecord(3) { $0.annunciation = .stripInsertionError }, .result(.report, .success), .confirm, .farewell,
    ]
    let found = Self.findings(try Self.run([first, second]), "VAL-006")
    #expect(found.map { $0.file } == ["part-2"])
    #expect(found.first?.finding.evidence.contains { $0.contains("of part-1") } == true)
    #expect(Self.findings(try Self.run([second]), "VAL-006").isEmpty)
  }
}

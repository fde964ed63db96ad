import BluetoothWire
import CaptureFiles
import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

@testable import Reporting

/// Captures of one run that name each other's devices.
@Suite struct SharedNamesTests {
  /// Three logs of a meter that is lost twice and resumed rightly: only the first one discovers, and the second one holds
  /// neither a discovery nor a result.
  private static func logs() -> [Scenario] {
    let first = Scenario(
      "first",
      [.firstArrival, .report(.all), .accept, .records(1...12), .wait(milliseconds: 2000), .linkLoss]
    )
    let second = Scenario(
      "second",
      start: first.start + 3_600_000_000,
      [.bondedArrival, .report(.atLeast(13)), .accept, .records(13...20), .wait(milliseconds: 2000), .linkLoss]
    )
    let third = Scenario(
      "third",
      start: first.start + 7_200_000_000,
      [.bondedArrival, .fetch(.atLeast(21), 21...30), .farewell]
    )
    return [first, second, third]
  }

  private static func judge(_ scenario: Scenario, _ side: Party) throws -> LintStory {
    let input = CaptureInput.memory(scenario.capture(Rendering(side: side)), name: scenario.name)
    return try LintStory(captures(in: input), memory: TraceMemory(), options: LintOptions())
  }

  private static func findings(_ judged: [LintStory]) -> [String] {
    let run = LintRun(
      judged.map(\.capture),
      unreadable: [],
      options: LintOptions(),
      threshold: .warning,
      allowsEmpty: true,
      version: "test"
    )
    return run.captures.flatMap { capture in capture.findings.map { "\(capture.file) \($0.finding.rule.identifier)" } }
  }

  @Test(arguments: [[0, 1, 2], [2, 0, 1], [1, 2, 0]])
  func aTransferThatOnlyAnotherLogNamesCounts(order: [Int]) throws {
    let logs = Self.logs()
    var judged = try order.map { try Self.judge(logs[$0], .collector) }
    var improved: [Int] = []
    for (index, memory) in LintStory.betterNamed(judged) {
      improved.append(order[index])
      judged[index] = try LintStory(judged[index].sources, memory: memory, options: LintOptions())
    }
    #expect(improved.sorted() == [1, 2])
    #expect(Set(Self.findings(judged)) == ["first CONN-004", "second CONN-004"])
  }

  @Test(arguments: Party.allCases)
  func aPairingThatFailedCountsWhereAnotherLogShowsTheDevice(side: Party) throws {
    let pairing = Scenario(
      "pairing",
      [.adapterAppears, .connect(), .exchangeMTU(185), .pair(failure: 0x05), .farewell]
    )
    let fetch = Scenario(
      "fetch",
      start: pairing.start + 3_600_000_000,
      [.adapterAppears, .connect(), .pair(), .discoverGlucose, .subscribe(), .fetch(.all, 1...3), .farewell]
    )
    var judged = try [pairing, fetch].map { try Self.judge($0, side) }
    let again = LintStory.betterNamed(judged)
    #expect(again.map(\.index) == [0])
    for (index, memory) in again {
      judged[index] = try LintStory(judged[index].sources, memory: memory, options: LintOptions())
    }
    #expect(Self.findings(judged) == ["pairing SEC-005"])
  }

  @Test func strangersNameNothing() throws {
    let logs = Self.logs()
    var other = Meter()
    other.address = DeviceAddress(value: 0xF00D_CAFE_0009, isRandom: true)
    let stranger = Scenario("stranger", meter: other, [.firstArrival, .fetch(.all, 1...3), .farewell])
    let judged = try [stranger, logs[1]].map { try Self.judge($0, .collector) }
    #expect(LintStory.betterNamed(judged).isEmpty)
  }
}

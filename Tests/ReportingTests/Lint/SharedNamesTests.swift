import BluetoothWire
import CaptureFiles
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

  private struct Judged {
    var capture: LintCapture
    var start: Int64
    var memory: TraceMemory
  }

  private static func judge(_ scenario: Scenario, _ side: Party, _ memory: TraceMemory) throws -> Judged {
    let input = CaptureInput.memory(scenario.capture(Rendering(side: side)), name: scenario.name)
    let run = try CaptureRun(captures(in: input), memory: memory, progress: .silent) { LintReport(LintOptions()) }
    let capture = run.report.capture(run.facts, files: [scenario.name], baseline: nil)
    return Judged(capture: capture, start: run.totals.firstTime ?? .max, memory: run.memory)
  }

  private static func findings(_ judged: [Judged]) -> [String] {
    let run = LintRun(
      judged.map(\.capture),
      unreadable: [],
      options: LintOptions(),
      threshold: .warning,
      allowsEmpty: true,
      version: "test"
    )
    return run.captures.flatMap { capture in capture.findings.map { "\(capture.file) \($0.finding.rule)" } }
  }

  @Test(arguments: Party.allCases, [[0, 1, 2], [2, 0, 1], [1, 2, 0]])
  func aTransferThatOnlyAnotherLogNamesCounts(side: Party, order: [Int]) throws {
    let logs = Self.logs()
    var judged = try order.map { try Self.judge(logs[$0], side, TraceMemory()) }
    let names = SharedNames(judged.map { ($0.start, $0.memory) })
    var improved: [Int] = []
    for index in judged.indices {
      guard let memory = names.better(for: index) else { continue }
      improved.append(order[index])
      judged[index] = try Self.judge(logs[order[index]], side, memory)
    }
    #expect(improved.sorted() == [1, 2])
    #expect(Set(Self.findings(judged)) == ["first CONN-004", "second CONN-004"])
  }

  @Test func strangersNameNothing() throws {
    let logs = Self.logs()
    var other = Meter()
    other.address = DeviceAddress(value: 0xF00D_CAFE_0009, isRandom: true)
    let stranger = Scenario("stranger", meter: other, [.firstArrival, .fetch(.all, 1...3), .farewell])
    let judged = try [stranger, logs[1]].map { try Self.judge($0, .collector, TraceMemory()) }
    let names = SharedNames(judged.map { ($0.start, $0.memory) })
    #expect(names.better(for: 0) == nil && names.better(for: 1) == nil)
  }
}

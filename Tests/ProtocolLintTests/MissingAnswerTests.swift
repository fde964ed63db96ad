import CaptureFiles
import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

private func judge(_ steps: [Step], _ side: Party) throws -> Judgement {
  try Judgement(Scenario("missing", steps), Rendering(side: side))
}

@Test func `a confirmation too many leaves the rest of the link judged`() throws {
  let steps: [Step] = [
    .firstArrival, .fetch(.all, 1...6), .confirm, .report(.atLeast(7)), .accept, .wait(milliseconds: 35_000),
    .disconnect(),
  ]
  for side in Party.allCases {
    let judged = try judge(steps, side)
    #expect(Set(judged.findings.map(\.rule)) == ["CAP-007", "RACP-004"])
    #expect(judged.findings(of: "CAP-007").first?.confidence == .possible)
  }
}

@Test func `a confirmation whose indication may have been the result leaves that open`() throws {
  let steps: [Step] = [
    .firstArrival, .report(.all), .accept, .records(1...6), .confirm, .wait(milliseconds: 35_000), .disconnect(),
  ]
  for side in Party.allCases {
    let judged = try judge(steps, side)
    #expect(judged.findings.map(\.rule) == ["CAP-007"])
    #expect(judged.inconclusive.contains { $0.rule == "RACP-004" })
  }
}

@Test func `what was over before the first missing answer is judged`() throws {
  let odd: [Step] = [.report(.all), .accept, .records(1...6), .record(3), .result(.report, .success), .confirm]
  let lone: Step = .attribute(from: .sensor, [0x0B, 0x41])
  let rest: [Step] = [.ask(answer: 6), .read(.feature), lone, .ask(answer: 6), .farewell]
  for side in Party.allCases {
    let whole = try judge([.firstArrival] + odd + [.ask(answer: 6), .read(.feature), .farewell], side)
    let judged = try judge([.firstArrival] + odd + rest, side)
    #expect(!whole.findings.isEmpty)
    #expect(judged.findings.filter { $0.rule.area != "CAP" }.map(\.fingerprint) == whole.findings.map(\.fingerprint))
    // What comes behind it is not.
    let late = try judge([.firstArrival, lone] + odd + [.ask(answer: 6), .farewell], side)
    #expect(late.findings.map(\.rule) == ["CAP-007"])
  }
}

/// A count and a report of a sensor that sends no Write Response at all.
private let unanswered: [Step] = [
  .count(.all), .counted(6), .confirm, .report(.all), .records(1...6), .result(.report, .success), .confirm,
]

@Test func `a sensor that never answers a write is accused, and judged for the rest`() throws {
  let steps: [Step] = [.firstArrival] + unanswered + [.report(.last), .wait(milliseconds: 35_000), .disconnect()]
  for side in Party.allCases {
    let judged = try judge(steps, side)
    #expect(judged.findings(of: "GATT-015").contains { $0.level == .error && $0.fault == .sensor })
    #expect(judged.findings(of: "CAP-007").isEmpty)
    #expect(!judged.inconclusive.contains { $0.rule == "SEQ-001" })
  }
}

@Test func `one Write Response that is not there is a hole, and what follows is judged no more`() throws {
  let odd: [Step] = [.report(.all), .accept, .records(1...6), .record(3), .result(.report, .success), .confirm]
  let hole: [Step] = [.count(.all), .counted(6), .confirm]
  let rest: [Step] = [.fetchNothing(.atLeast(7)), .fetchNothing(.atLeast(8)), .farewell]
  for side in Party.allCases {
    let before = try judge([.firstArrival] + odd + [.ask(answer: 6)] + hole + rest, side)
    #expect(Set(before.findings.map(\.rule)) == ["CAP-007", "SEQ-001"])
    let behind = try judge([.firstArrival] + hole + odd + rest, side)
    #expect(behind.findings.map(\.rule) == ["CAP-007"])
  }
}

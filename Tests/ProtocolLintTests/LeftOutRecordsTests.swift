import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

/// Connection Complete of a link of another collector; the captured host is the peripheral.
private let anotherCollector: [UInt8] = [
  0x3E, 19, 0x01, 0x00, 0x40, 0x00, 0x01, 0x00, 0x02, 0x32, 0x07, 0xDC, 0x1B, 0x00, 24, 0, 0, 0, 72, 0, 0,
]
private let first: [Step] = [.firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60)]
private let lost: [Step] = [
  .report(.all), .accept, .records(1...12), .wait(milliseconds: 2000), .linkLoss, .later(minutes: 1), .bondedArrival,
]

@Test func `what another collector has taken is not what this one leaves behind`() throws {
  let other: [Step] = [
    .event(anotherCollector), .exchangeMTU(185), .pair(), .discoverGlucose, .read(.feature), .subscribe(),
    .fetch(.all, 1...7), .farewell, .later(minutes: 60),
  ]
  let last: [Step] = [.bondedArrival, .fetch(.atLeast(8), 8...8), .farewell]
  let alone = try Judgement(Scenario("alone", first + last), Rendering(side: .sensor))
  #expect(alone.findings.map(\.rule) == ["APP-014"])
  let shared = try Judgement(Scenario("shared", first + other + last), Rendering(side: .sensor))
  #expect(!shared.findings.contains { $0.rule == "APP-014" }, "\(shared.findings.map(\.message))")
}

@Test func `whether a gap is a loss shows only when the report over it is over`() throws {
  let scenario = Scenario(
    "gap",
    [.firstArrival, .ask(answer: 23)] + lost + [.marked(.report(.atLeast(20))), .accept, .records(20...30)]
  )
  for side in Party.allCases {
    let judged = try Judgement(scenario, Rendering(side: side))
    #expect(judged.findings(of: "SEQ-007").isEmpty)
    let steps = Array(scenario.steps.dropLast()) + [.records(20...25)]
    let short = try Judgement(Scenario("short", steps), Rendering(side: side))
    #expect(short.findings(of: "SEQ-007").isEmpty)
    #expect(short.inconclusive.contains { $0.rule == "SEQ-007" })
  }
}

@Test func `as long as the link is up the collector may come back for the rest`() throws {
  let steps: [Step] = [
    .firstArrival, .fetch(.all, 1...12), .farewell, .later(minutes: 60), .bondedArrival, .ask(answer: 20),
    .fetch(.last, 20...20),
  ]
  let skipped: [Step] = [.firstArrival, .ask(answer: 30)] + lost + [.fetchNothing(.atLeast(31))]
  for side in Party.allCases {
    let open = try Judgement(Scenario("open", steps), Rendering(side: side))
    #expect(open.findings(of: "APP-014").isEmpty)
    #expect(open.inconclusive.contains { $0.rule == "APP-014" })
    let over = try Judgement(Scenario("over", steps + [.farewell]), Rendering(side: side))
    #expect(over.findings(of: "APP-014").map(\.level) == [.warning])
    let early = try Judgement(Scenario("skipped", skipped), Rendering(side: side))
    #expect(early.findings(of: "SEQ-007").map(\.level) == [.warning])
    let late = try Judgement(Scenario("left", skipped + [.farewell]), Rendering(side: side))
    #expect(late.findings(of: "SEQ-007").map(\.level) == [.error])
  }
}

@Test func `a count of an earlier link excuses no hole of a later one`() throws {
  let steps: [Step] = [
    .firstArrival, .ask(answer: 6), .fetch(.all, 1...6), .farewell, .later(minutes: 60), .bondedArrival,
    .report(.atLeast(7)), .accept, .records(7...9), .wait(milliseconds: 2000), .linkLoss, .later(minutes: 1),
    .bondedArrival, .fetch(.atLeast(12), 12...15), .farewell,
  ]
  for side in Party.allCases {
    let found = try Judgement(Scenario("stale", steps), Rendering(side: side)).findings
    #expect(found.map(\.rule) == ["CONN-004", "SEQ-007"])
    #expect(found.last?.level == .warning)
  }
}

@Test func `the first record of a meter that counts from 1 is not skipped`() throws {
  let steps: [Step] = [
    .firstArrival, .report(.all), .accept, .wait(milliseconds: 2000), .linkLoss, .later(minutes: 1), .bondedArrival,
    .fetch(.atLeast(1), 1...6), .farewell,
  ]
  #expect(try Judgement(Scenario("from-one", steps)).findings.map(\.rule) == ["CONN-004"])
}

@Test func `records that come before a new mark are lost where the mark came first`() throws {
  let steps: [Step] =
    [.firstArrival, .ask(answer: 30)] + lost + [.fetch(.last, 30...30), .fetchNothing(.atLeast(31)), .farewell]
  for side in Party.allCases {
    let found = try Judgement(Scenario("last-first", steps), Rendering(side: side)).findings
    #expect(found.map(\.rule) == ["CONN-004", "SEQ-007"])
    #expect(found.last?.level == .error)
    #expect(found.last?.message.contains("13–29") == true)
  }
}

@Test func `deleting the newest or oldest record loses one record`() throws {
  let steps: [Step] = [
    .firstArrival, .ask(answer: 12), .fetch(.atMost(6), 1...6), .delete(.last), .accept, .result(.delete, .success),
    .confirm, .farewell,
  ]
  let found = try Judgement(Scenario("newest", steps)).findings
  #expect(found.map(\.rule) == ["RACP-019"])
  #expect(found.first?.message.hasSuffix("1 can never be fetched") == true)
  let oldest: [Step] = [
    .firstArrival, .ask(answer: 12), .fetch(.atMost(6), 1...6), .delete(.first), .accept, .result(.delete, .success),
    .confirm, .farewell,
  ]
  #expect(try Judgement(Scenario("oldest", oldest)).findings.map(\.message).isEmpty)
}

@Test func `without the pairing only new records are known to be unread`() throws {
  let delete: [Step] = [.ask(answer: 30), .delete(.all), .accept, .result(.delete, .success), .confirm, .farewell]
  let discovery: [Step] = [.bondedArrival, .discoverGlucose, .read(.feature), .subscribe()]
  let old = try Judgement(Scenario("old", discovery + [.fetch(.atLeast(21), 21...30)] + delete))
  #expect(!old.findings.contains { $0.rule == "RACP-019" })
  #expect(old.inconclusive.contains { $0.rule == "RACP-019" })
  let whole: [Step] = [.fetch(.all, 1...12), .farewell, .later(minutes: 60), .bondedArrival]
  let new = try Judgement(Scenario("new", discovery + whole + delete))
  #expect(new.findings(of: "RACP-019").map(\.level) == [.warning])
}

@Test func `whether a result arrived that the link took with it cannot be said`() throws {
  let steps: [Step] = [
    .firstArrival, .ask(answer: 12), .report(.all), .accept, .records(1...12), .result(.report, .success), .linkLoss,
    .later(minutes: 1), .bondedArrival, .delete(.all), .accept, .result(.delete, .success), .confirm, .farewell,
  ]
  let judged = try Judgement(Scenario("unconfirmed", steps), Rendering(side: .sensor))
  #expect(judged.findings(of: "RACP-019").isEmpty)
  #expect(judged.inconclusive.contains { $0.rule == "RACP-019" })
  let again: [Step] = [
    .firstArrival, .report(.all), .accept, .records(1...12), .result(.report, .success), .linkLoss, .later(minutes: 1),
    .bondedArrival, .fetch(.all, 1...12), .farewell,
  ]
  let repeated = try Judgement(Scenario("unconfirmed-again", again), Rendering(side: .sensor))
  #expect(repeated.findings.filter { $0.fault == .collector }.map(\.rule).isEmpty)
}

@Test func `parts that are left out in several places are named together`() throws {
  let steps: [Step] =
    [.firstArrival, .ask(answer: 30)] + lost + [
      .fetch(.within(15, 18), 15...18), .fetch(.within(22, 25), 22...25), .fetchNothing(.atLeast(31)), .farewell,
    ]
  for side in Party.allCases {
    let found = try Judgement(Scenario("several", steps), Rendering(side: side)).findings
    #expect(found.map(\.rule) == ["CONN-004", "SEQ-007"])
    #expect(found.last?.level == .error)
    #expect(found.last?.message.contains("leaves out 13–14, 19–21, 26–30:") == true, "\(found.map(\.message))")
  }
}

@Test func `of many parts that are left out the first are named, and how many more there are`() throws {
  let parts = (0..<8 as Range<UInt16>).map { 14 + 2 * $0 }
  let steps: [Step] =
    [.firstArrival, .ask(answer: 30)] + lost + parts.map { .fetch(.within(UInt32($0), UInt32($0)), $0...$0) }
    + [.fetchNothing(.atLeast(31)), .farewell]
  let found = try Judgement(Scenario("many", steps)).findings(of: "SEQ-007")
  #expect(found.count == 1)
  #expect(found.first?.message.contains("leaves out 13, 15, 17, 19, 21 and 4 ranges more:") == true)
}

@Test func `what is fetched later than the first part is not named, and what is left out behind it is`() throws {
  let steps: [Step] =
    [.firstArrival, .ask(answer: 30)] + lost + [
      .fetch(.within(15, 18), 15...18), .fetch(.within(13, 14), 13...14), .fetchNothing(.atLeast(31)), .farewell,
    ]
  for side in Party.allCases {
    let found = try Judgement(Scenario("came-back", steps), Rendering(side: side)).findings(of: "SEQ-007")
    #expect(found.map(\.level) == [.error])
    #expect(found.first?.message.contains("leaves out 19–30:") == true, "\(found.map(\.message))")
  }
}

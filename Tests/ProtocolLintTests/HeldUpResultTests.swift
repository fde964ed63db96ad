import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

@Test func `a result that has to wait for a confirmation is not late`() throws {
  let steps: [Step] = [
    .firstArrival, .count(.all), .accept, .counted(6), .report(.all), .accept, .records(1...6),
    .wait(milliseconds: 12_000), .confirm, .result(.report, .success), .confirm, .farewell,
  ]
  for side in Party.allCases {
    let found = try Judgement(Scenario("held-up", steps), Rendering(side: side)).findings
    #expect(!found.contains { $0.rule == "RACP-022" })
  }
}

@Test func `a result that an unconfirmed indication holds up is not missing`() throws {
  let steps: [Step] = [
    .firstArrival, .count(.all), .accept, .counted(6), .report(.all), .accept, .records(1...6),
    .wait(milliseconds: 40_000), .disconnect(),
  ]
  for side in Party.allCases {
    let judged = try Judgement(Scenario("held-up", steps), Rendering(side: side))
    #expect(judged.findings(of: "GATT-008").map(\.level) == [.error])
    #expect(judged.findings(of: "RACP-004").isEmpty)
    #expect(judged.inconclusive.contains { $0.rule == "RACP-004" })
  }
}

@Test func `a result that an unconfirmed record holds up is not missing`() throws {
  let steps: [Step] = [
    .firstArrival, .report(.all), .accept, .record(1), .indicate(.measurement, Meter().measurement(2).octets),
    .wait(milliseconds: 40_000), .disconnect(),
  ]
  for side in Party.allCases {
    let judged = try Judgement(Scenario("held-up", steps), Rendering(side: side))
    #expect(judged.findings(of: "RACP-004").isEmpty)
    #expect(judged.inconclusive.contains { $0.rule == "RACP-004" })
  }
}

import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

@Test func `an abort that is answered for another request has its answer`() throws {
  let steps: [Step] = [
    .firstArrival, .report(.all), .accept, .records(1...8), .abort, .accept, .result(.report, .success), .confirm,
    .wait(milliseconds: 500), .delete(.all), .accept, .result(.delete, .success), .confirm, .farewell,
  ]
  for side in Party.allCases {
    let found = try Judgement(Scenario("wrong-op-code", steps), Rendering(side: side)).findings
    #expect(found.map(\.rule) == ["RACP-006", "RACP-019"])
  }
}

@Test func `a result goes to the request it names, also before its Write Response`() throws {
  let steps: [Step] = [
    .firstArrival, .report(.all), .records(1...4), .abort, .result(.abort, .success), .confirm,
    .wait(milliseconds: 400), .disconnect(),
  ]
  let found = try Judgement(Scenario("no-write-response", steps)).findings
  #expect(!found.contains { $0.rule == "RACP-006" })
}

@Test func `what an abort left in the queue is no runaway transfer`() throws {
  let steps: [Step] = [
    .firstArrival, .report(.all), .accept, .records(1...9), .abort, .accept, .result(.abort, .success), .confirm,
    .report(.atLeast(10)), .accept, .records(10...15), .records(10...30), .result(.report, .success), .confirm,
    .farewell,
  ]
  for side in Party.allCases {
    #expect(try Judgement(Scenario("lag", steps), Rendering(side: side)).findings.map(\.message).isEmpty)
  }
}

@Test func `the only record that comes behind its success was there before`() throws {
  let steps: [Step] = [
    .firstArrival, .report(.last), .accept, .result(.report, .success), .confirm, .record(6), .farewell,
  ]
  for side in Party.allCases {
    #expect(try Judgement(Scenario("early-result", steps), Rendering(side: side)).findings.map(\.rule) == ["RACP-027"])
  }
}

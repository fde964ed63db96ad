import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

@Test func `what a forgotten bond had turned on is off under the new one`() throws {
  let steps: [Step] = [
    .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .arrival, .encrypt(status: 0x06),
    .wait(milliseconds: 500), .pair(), .report(.all), .refuse(error: 0x81), .wait(milliseconds: 400), .disconnect(),
  ]
  for side in Party.allCases {
    let early = try Judgement(Scenario("new-bond", steps), Rendering(side: side)).findings(of: "GATT-003")
    // The names of the table were those of the old bond, from whichever end that is seen: they do not carry an error.
    #expect(early.map(\.level) == [.warning])
    #expect(early.map(\.fault) == [.collector])
  }
}

@Test func `a peripheral that has lost its key is judged before anything names its service`() throws {
  let steps: [Step] = [.connect(), .encrypt(status: 0x06), .wait(milliseconds: 400), .disconnect()]
  let found = try Judgement(Scenario("no-key", steps), Rendering(side: .sensor)).findings
  #expect(found.map(\.rule) == ["SEC-004"])
}

@Test func `a control point that nothing names may be busy all the time`() throws {
  let record = Meter().measurement(1).octets
  let steps: [Step] = [
    .connect(), .attribute(from: .collector, [0x12, 0x23, 0x00, 0x01, 0x01]), .attribute(from: .sensor, [0x13]),
    .attribute(from: .sensor, [0x1B, 0x1B, 0x00] + record), .wait(milliseconds: 35_000), .disconnect(),
  ]
  #expect(try !Judgement(Scenario("unnamed", steps)).findings.contains { $0.rule == "CONN-008" })
}

@Test func `what goes wrong once they have paired anew is not laid to the lost bond`() throws {
  let broken: [Step] = [
    .report(.all), .accept, .records(1...6), .wait(milliseconds: 300), .disconnect(.sensor, reason: 0x13),
  ]
  let again: [Step] = [
    .firstArrival, .fetchNothing(.all), .farewell, .later(minutes: 60), .arrival, .exchangeMTU(185), .pair(),
    .discoverGlucose, .subscribe(),
  ]
  for side in Party.allCases {
    let found = try Judgement(Scenario("paired-anew", again + broken), Rendering(side: side)).findings
    #expect(Set(found.map(\.rule)).isSuperset(of: ["SEC-004", "CONN-002"]), "\(found.map(\.message))")
  }
}

import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

private func message(of rule: RuleIdentifier, _ steps: [Step]) throws -> String {
  try Judgement(Scenario("wording", steps)).findings(of: rule).first?.message ?? ""
}

@Test func `a delete names what was counted and what had come`() throws {
  let said = try message(
    of: "RACP-019",
    [
      .firstArrival, .ask(answer: 12), .fetch(.atMost(6), 1...6), .delete(.all), .accept, .result(.delete, .success),
      .confirm, .farewell,
    ]
  )
  #expect(said.hasSuffix("although of 12 counted records only 6 had come: 6 can never be fetched"))
}

@Test func `a delete after the last record alone does not say that no report was there`() throws {
  let said = try message(
    of: "RACP-019",
    [
      .firstArrival, .fetch(.last, 12...12), .delete(.all), .accept, .result(.delete, .success), .confirm, .farewell,
    ]
  )
  #expect(said.hasSuffix("and no report has asked for 0–11"))
}

@Test func `a request that is answered by a result has no records mixed in`() throws {
  let said = try message(
    of: "RACP-002",
    [
      .firstArrival, .report(.all), .accept, .records(1...3), .report(.all), .accept,
      .result(.report, .procedureNotCompleted), .confirm, .records(4...6), .result(.report, .success), .confirm,
      .farewell,
    ]
  )
  #expect(!said.contains("mixed"))
}

@Test func `nobody accepts a command`() throws {
  let overlap = try message(
    of: "RACP-001",
    [
      .firstArrival, .report(.all), .accept, .records(1...3), .writeCommand(.recordAccess, [0x01, 0x01]),
      .records(4...6), .result(.report, .success), .confirm, .farewell,
    ]
  )
  #expect(overlap.contains("sent as a command") && !overlap.contains("accepted"))
  let early = try message(
    of: "GATT-003",
    [
      .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .writeCommand(.recordAccess, [0x01, 0x01]),
      .wait(milliseconds: 500), .farewell,
    ]
  )
  #expect(early.contains("command") && !early.contains("accepted"))
}

@Test func `long times are told in days`() throws {
  var meter = Meter()
  meter.firstBaseTime -= 300 * 86_400
  let said = try message(
    of: "CLK-009",
    [
      .selectMeter(meter), .firstArrival, .report(.within(2, 5)), .accept, .records(2...4), .record(31), .record(5),
      .result(.report, .success), .confirm, .farewell,
    ]
  )
  #expect(said.contains(" days before that of the capture"))
}

import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

@Test(arguments: ExampleCase.failing)
func `names known by the shape of the traffic carry no error`(item: ExampleCase) throws {
  var rendering = item.example.rendering
  rendering.withoutDiscovery = true
  // That names are missing is said as well.
  let unnamed: RuleIdentifier = "CAP-004"
  let findings = try Judgement(item.example.scenario, rendering).findings
    .filter { $0.rule != unnamed || item.identifier == unnamed }
  let allowed = item.example.alongside + [item.identifier] + item.rule.description.explains
  for finding in findings {
    #expect(allowed.contains(finding.rule), "\(finding.message)")
    #expect(finding.level <= .warning)
  }
  if item.example.alongside.isEmpty, let finding = findings.first {
    #expect(finding.level <= item.example.level ?? .note)
  }
}

@Test func `names of an earlier link carry an error only under its bond`() throws {
  let overlap: [Step] = [
    .report(.all), .accept, .records(1...3), .report(.all), .refuse(error: 0x80), .records(4...6),
    .result(.report, .success), .confirm, .farewell,
  ]
  let first: [Step] = [.firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 1)]
  let bonded = try Judgement(Scenario("bonded", first + [.bondedArrival] + overlap))
  #expect(bonded.findings.map(\.rule) == ["RACP-001", "EFF-001"])
  #expect(bonded.findings.map(\.level) == [.error, .note])
  // The bond holds the sensor to its table, whether the link is encrypted or not: both ends say the same.
  let clear = Scenario("clear", first + [.arrival] + overlap)
  for side in Party.allCases {
    let judged = try Judgement(clear, Rendering(side: side))
    #expect(judged.linkFindings.map(\.rule) == ["SEC-001", "RACP-001"])
    #expect(judged.linkFindings.map(\.level) == [.error, .error])
  }
  let unbonded: [Step] = [.arrival, .exchangeMTU(185), .discoverGlucose, .subscribe(), .farewell, .later(minutes: 1)]
  let stranger = try Judgement(Scenario("stranger", unbonded + [.arrival] + overlap))
  #expect(stranger.linkFindings.last?.rule == "RACP-001")
  #expect(stranger.linkFindings.last?.level == .warning)
}

@Test func `a bond whose key is refused holds nobody to a table`() throws {
  let steps: [Step] = [
    .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 1), .arrival, .encrypt(status: 0x06), .report(.all),
    .accept, .records(1...3), .report(.all), .refuse(error: 0x80), .records(4...6), .result(.report, .success),
    .confirm, .farewell,
  ]
  let judged = try Judgement(Scenario("refused-key", steps))
  #expect(judged.linkFindings.first { $0.rule == "RACP-001" }?.level == .warning)
}

@Test func `a report that is left says how much of the counted records had come`() throws {
  let scenario = Scenario(
    "counted",
    [.firstArrival, .ask(answer: 12), .report(.all), .accept, .records(1...5), .marked(.disconnect())]
  )
  let findings = try Judgement(scenario).findings
  #expect(findings.first?.evidence.contains("5 of 12 counted records had come") == true)
}

@Test func `nobody is accused of a packet that crosses the order to encrypt`() throws {
  // Until the controller says so, the host cannot know whether a packet was protected.
  let order: [UInt8] = [0x19, 0x20, 28, 0x40, 0x00] + [UInt8](repeating: 0, count: 26)
  let on: [UInt8] = [0x08, 4, 0x00, 0x40, 0x00, 0x01]
  let steps: [Step] = [
    .arrival, .discoverGlucose, .write(.recordAccess, [0x04, 0x01]), .command(order), .accept, .event(on), .subscribe(),
    .counted(6), .confirm, .farewell,
  ]
  let judged = try Judgement(Scenario("crossing", steps))
  #expect(judged.findings.isEmpty)
  #expect(judged.passed.contains("SEC-001"))
}

import HealthProfiles
import ProtocolLint
import Scenarios
import Testing

/// A sensor with the glucose and the continuous glucose service: values of the one are no records of the other's report.
@Suite struct TwoServicesTests {
  private static let discovery: [Step] = [
    .arrival, .exchangeMTU(185), .pair(), .askForServices(),
    .tellServices([.init(0x0019, 0x0024, 0x1808), .init(0x0030, 0x0034, 0x181F)]), .askForServices(from: 0x0035),
    .noMoreServices(from: 0x0035),
    .discoverGlucoseCharacteristicsWithoutContext,
    .askForCharacteristics(from: 0x0030, to: 0x0034), .tellCharacteristics([.init(0x0031, 0x10, 0x2AA7)]),
    .askForCharacteristics(from: 0x0032, to: 0x0034), .noMoreCharacteristics(from: 0x0032),
    .subscribe([.measurement, .recordAccess]), .attribute(from: .collector, [0x12, 0x33, 0x00, 0x01, 0x00]),
    .attribute(from: .sensor, [0x13]), .read(.feature),
  ]
  /// A CGM Measurement of six octets (CGMS 3.1).
  private static let live = Step.attribute(from: .sensor, [0x1B, 0x32, 0x00, 0x06, 0x00, 0x60, 0x00, 0x05, 0x00])

  private static func judge(_ steps: [Step], _ side: Party) throws -> Judgement {
    try Judgement(Scenario("two-services", discovery + steps), Rendering(side: side))
  }

  @Test(arguments: Party.allCases)
  func liveValuesAreNoRecordsOfAReport(side: Party) throws {
    let steps: [Step] = [
      .ask(answer: 3), .report(.all), .accept, .record(1), Self.live, .record(2), Self.live, .record(3), Self.live,
      .result(.report, .success), .confirm, Self.live, .fetchNothing(.atLeast(4)), .farewell,
    ]
    let found = try Self.judge(steps, side).findings.filter { $0.rule.area != "GATT" }.map(\.message)
    #expect(found == [])
  }

  @Test(arguments: Party.allCases)
  func liveValuesDoNotHideAReportWithoutRecords(side: Party) throws {
    let nothing: [Step] = [
      .ask(answer: 3), .report(.all), .accept, Self.live, Self.live, .result(.report, .success), .confirm, .farewell,
    ]
    let contradicted = try Self.judge(nothing, side)
    #expect(contradicted.findings.contains { $0.rule == "RACP-008" }, "\(contradicted.findings.map(\.message))")
    let stalled: [Step] =
      [.report(.all), .accept, .record(1)]
      + (0..<7).flatMap { _ in [.wait(milliseconds: 10_000), Self.live] } + [.disconnect()]
    let found = try Self.judge(stalled, side).findings
    #expect(found.contains { $0.rule == "RACP-004" && $0.fault == .sensor })
    #expect(!found.contains { $0.rule == "APP-003" })
  }
}

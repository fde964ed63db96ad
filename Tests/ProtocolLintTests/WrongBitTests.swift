import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

/// A value with the wrong bit leaves what is needed off, and what the sensor makes of it is the sensor's.
@Suite struct WrongBitTests {
  private static let discovered: [Step] = [.arrival, .exchangeMTU(185), .pair(), .discoverGlucose]
  private static let controlPoint: [Step] = [
    .subscribe([.measurement, .context]), .write(.recordAccessConfiguration, [1, 0]), .accept,
  ]
  private static let measurement: [Step] = [
    .write(.measurementConfiguration, [2, 0]), .accept, .subscribe([.context, .recordAccess]),
  ]

  private static func grave(_ steps: [Step], _ side: Party) throws -> [String] {
    let judged = try Judgement(Scenario("wrong-bit", discovered + steps), Rendering(side: side))
    return judged.findings.filter { $0.level > .note }.map { "\($0.rule) \($0.level) \($0.fault)" }.sorted()
  }

  private static let written = "GATT-005 error collector"
  private static let accepted = "GATT-004 error sensor"
  private static let sent = "GATT-007 error sensor"

  @Test(arguments: Party.allCases)
  func `a sensor that refuses is right`(side: Party) throws {
    let refused: [Step] = [.report(.all), .refuse(error: 0x81), .farewell]
    #expect(try Self.grave(Self.controlPoint + refused, side) == [Self.written])
    #expect(try Self.grave(Self.measurement + refused, side) == [Self.written])
  }

  @Test(arguments: Party.allCases)
  func `a sensor that accepts and sends nothing has not looked`(side: Party) throws {
    let silent: [Step] = [.report(.all), .accept, .wait(milliseconds: 33_000), .farewell]
    #expect(try Self.grave(Self.controlPoint + silent, side) == [Self.accepted, Self.written])
    let empty: [Step] = [.report(.all), .accept, .result(.report, .success), .confirm, .farewell]
    #expect(try Self.grave(Self.measurement + empty, side) == [Self.accepted, Self.written])
  }

  @Test(arguments: Party.allCases)
  func `a sensor that sends all the same sends what is off`(side: Party) throws {
    let fetched: [Step] = [.fetch(.all, 1...3), .farewell]
    #expect(try Self.grave(Self.controlPoint + fetched, side) == [Self.accepted, Self.written, Self.sent])
    #expect(try Self.grave(Self.measurement + fetched, side) == [Self.accepted, Self.written, Self.sent])
  }

  @Test(arguments: Party.allCases)
  func `what was not tried at all is said beside it`(side: Party) throws {
    let steps: [Step] = [
      .subscribe([.context]), .write(.recordAccessConfiguration, [1, 0]), .accept, .report(.all), .refuse(error: 0x81),
      .farewell,
    ]
    #expect(try Self.grave(steps, side) == ["GATT-003 error collector", Self.written])
    let judged = try Judgement(Scenario("neglected", Self.discovered + steps), Rendering(side: side))
    #expect(
      judged.findings(of: "GATT-003").allSatisfy {
        $0.message.contains("while notifications of the measurement are off")
      }
    )
  }

  /// Only the first characteristic and the last descriptor were discovered: what stands between them is not known.
  @Test(arguments: Party.allCases)
  func `half a discovery does not tell whose bit it is`(side: Party) throws {
    let half: [Step] = [
      .arrival, .exchangeMTU(185), .pair(), .askForServices(), .tellServices([.init(0x0019, 0x0024, 0x1808)]),
      .askForCharacteristics(from: 0x0019, to: 0x001C), .tellCharacteristics([.init(0x001A, 0x10, 0x2A18)]),
      .askForDescriptors(from: 0x0024, to: 0x0024), .tellDescriptors([(0x0024, 0x2902)]),
      .write(.handle(0x0024), [2, 0]), .accept, .fetch(.all, 1...3), .farewell,
    ]
    let judged = try Judgement(Scenario("half", half), Rendering(side: side))
    for rule in ["GATT-003", "GATT-004", "GATT-005", "GATT-007"] as [RuleIdentifier] {
      #expect(judged.findings(of: rule).isEmpty, "\(judged.findings.map(\.message))")
    }
  }
}

import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

/// What is known of a handle holds no more once the sensor has told that its table has changed (field rules V-NAME).
@Suite struct ServiceChangedTests {
  private static let first: [Step] = [.firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60)]
  private static let unanswered: [Step] = [
    .report(.atLeast(7)), .accept, .wait(milliseconds: 35_000), .disconnect(),
  ]

  private static func changed(_ first: UInt8 = 0x01, _ last: UInt8 = 0xFF) -> Step {
    .group([.indicate(.handle(0x0008), [first, 0x00, last, last == 0xFF ? 0xFF : 0x00]), .confirm])
  }

  private static func judge(_ steps: [Step], _ side: Party) throws -> [Finding] {
    try Judgement(Scenario("changed", steps), Rendering(side: side)).findings.filter { $0.rule.area != "CAP" }
  }

  @Test(arguments: Party.allCases)
  func `a write behind a change of the table is no request`(side: Party) throws {
    let silent = try Self.judge(Self.first + [.bondedArrival, Self.changed()] + Self.unanswered, side)
    #expect(silent.isEmpty, "\(silent.map(\.message))")
    let refused = Self.first + [.bondedArrival, Self.changed(), .report(.atLeast(7)), .refuse(error: 0x01)]
    let stale = try Self.judge(refused + [.wait(milliseconds: 8000), .disconnect()], side)
    #expect(stale.map { "\($0.rule) \($0.level) \($0.fault)" } == ["GATT-012 warning undetermined"])
  }

  @Test(arguments: Party.allCases)
  func `a change of other handles leaves the names`(side: Party) throws {
    let found = try Self.judge(Self.first + [.bondedArrival, Self.changed(0x25, 0x30)] + Self.unanswered, side)
    #expect(found.map { "\($0.rule) \($0.level)" } == ["RACP-004 error"])
  }

  @Test(arguments: Party.allCases)
  func `what is discovered behind the change has its name again`(side: Party) throws {
    let again: [Step] = [.bondedArrival, Self.changed(), .discoverGlucose]
    let found = try Self.judge(Self.first + again + Self.unanswered, side)
    #expect(found.map { "\($0.rule) \($0.level)" } == ["RACP-004 error"])
  }

  @Test(arguments: Party.allCases)
  func `a change while a report runs leaves open how it ends`(side: Party) throws {
    let steps: [Step] = [
      .firstArrival, .report(.all), .accept, .records(1...3), Self.changed(), .wait(milliseconds: 40_000),
      .disconnect(),
    ]
    let judged = try Judgement(Scenario("amid", steps), Rendering(side: side))
    #expect(judged.findings.allSatisfy { $0.fault != .sensor }, "\(judged.findings.map(\.message))")
    #expect(judged.inconclusive.contains { $0.rule == "RACP-004" })
  }

  @Test(arguments: Party.allCases)
  func `what goes on as if nothing had changed is judged by its shape and carries no error`(side: Party) throws {
    let steps: [Step] = [
      .bondedArrival, Self.changed(), .report(.atLeast(7)), .accept, .records(7...12), .record(9),
      .result(.report, .success), .confirm, .farewell,
    ]
    let found = try Self.judge(Self.first + steps, side)
    #expect(found.allSatisfy { $0.level < .error }, "\(found.map(\.message))")
  }

  @Test func `a request that crosses the change is void at both ends`() throws {
    let steps: [Step] = [
      .bondedArrival,
      .crossing(
        fromCollector: .report(.atLeast(7)),
        fromSensor: .indicate(.handle(0x0008), [0x01, 0x00, 0xFF, 0xFF])
      ), .confirm, .accept, .wait(milliseconds: 35_000), .disconnect(),
    ]
    for side in Party.allCases {
      let found = try Self.judge(Self.first + steps, side)
      #expect(found.isEmpty, "\(found.map(\.message))")
    }
  }
}

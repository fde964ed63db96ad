import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

/// Sensors whose records are no glucose measurements: what rests on the glucose service's characteristics, or on numbers
/// that are not read, says nothing of them.
@Suite struct RecordServicesTests {
  private static let monitor = RecordService.continuousGlucose

  private static func judge(_ steps: [Step], _ side: Party) throws -> Judgement {
    try Judgement(Scenario("record-service", steps), Rendering(side: side))
  }

  /// What is found; no scene here has a Device Information service.
  private static func rules(_ judgement: Judgement) -> [String] {
    judgement.findings.map(\.rule.description).filter { $0 != "GATT-017" }
  }

  @Test(arguments: RecordService.allCases, Party.allCases)
  func aGoodFetchIsClean(service: RecordService, side: Party) throws {
    let steps = [
      service.arrival(), service.subscription, service.count(10), service.fetch(.all, 1...10), .farewell,
      .later(minutes: 60), .bondedArrival, service.fetch(.atLeast(55), 11...13), service.delete(), .farewell,
    ]
    let judged = try Self.judge(steps, side)
    #expect(Self.rules(judged) == [])
  }

  @Test(arguments: RecordService.allCases, Party.allCases)
  func linksThatBringRecordsAreNoPolling(service: RecordService, side: Party) throws {
    var steps = [service.arrival(), service.subscription, service.fetch(.all, 1...3), .farewell]
    for number in UInt16(4)...20 {
      let next = service.fetch(.atLeast(UInt32(number) * 5), number...number)
      steps += [.later(minutes: 4), .bondedArrival, next, .farewell]
    }
    #expect(Self.rules(try Self.judge(steps, side)) == [])
  }

  @Test(arguments: Party.allCases)
  func aMonitorThatIsNotSubscribedRefuses(side: Party) throws {
    let request = Self.monitor.request(.report, .all)
    let refused = try Self.judge([Self.monitor.arrival(), request, .refuse(error: 0xFD), .farewell], side)
    #expect(Self.rules(refused) == ["GATT-003"])
    #expect(refused.findings.first?.level == .error && refused.findings.first?.fault == .collector)
    let foreign = try Self.judge([Self.monitor.arrival(), request, .refuse(error: 0x81), .farewell], side)
    #expect(Self.rules(foreign) == ["GATT-003", "GATT-016"])
    let accepted = try Self.judge([Self.monitor.arrival(), Self.monitor.fetch(.all, 1...5), .farewell], side)
    #expect(Self.rules(accepted).prefix(2) == ["GATT-003", "GATT-004"])
    #expect(accepted.findings(of: "GATT-004").first?.message.contains("0xFD") == true)
  }

  @Test(arguments: RecordService.allCases, Party.allCases)
  func whatIsTakenUpAgainIsNotCalledLost(service: RecordService, side: Party) throws {
    let start = [
      service.arrival(), service.subscription, service.count(30), service.request(.report, .all), .accept,
      service.records(1...12),
    ]
    let lost: [Step] = [.wait(milliseconds: 2000), .linkLoss, .later(minutes: 1), .bondedArrival]
    let judged = try Self.judge(start + lost + [service.fetch(.atLeast(61), 13...30), .farewell], side)
    #expect(Self.rules(judged) == ["CONN-004"])
    #expect(judged.inconclusive.contains { $0.rule == "SEQ-007" && $0.reason.contains("not read") })
    let again = try Self.judge(
      start + lost + [service.fetch(.all, 1...30), .farewell, .later(minutes: 1), .bondedArrival]
        + [service.fetch(.all, 1...30), .farewell],
      side
    )
    #expect(Self.rules(again) == ["CONN-004"])
    for rule in ["SEQ-007", "APP-008", "APP-014", "EFF-001"] as [RuleIdentifier] {
      #expect(again.inconclusive.contains { $0.rule == rule }, "\(rule)")
    }
  }

  @Test(arguments: RecordService.allCases, Party.allCases)
  func silenceTakenForTheEndIsSaid(service: RecordService, side: Party) throws {
    let steps: [Step] = [
      service.arrival(), service.subscription, service.request(.report, .all), .accept, service.records(1...12),
      .wait(milliseconds: 3000), .disconnect(), .later(minutes: 60), .bondedArrival,
      service.fetch(.atLeast(61), 13...14),
      .farewell,
    ]
    #expect(Self.rules(try Self.judge(steps, side)) == ["APP-003"])
  }

  @Test(arguments: Party.allCases)
  func deletingAfterABreakIsSaidWithoutNumbers(side: Party) throws {
    let broken = [
      Self.monitor.arrival(), Self.monitor.subscription, Self.monitor.count(30), Self.monitor.request(.report, .all),
      .accept, Self.monitor.records(1...12), .wait(milliseconds: 2000), .linkLoss, .later(minutes: 1), .bondedArrival,
    ]
    let deleted = try Self.judge(broken + [Self.monitor.delete(), .farewell], side)
    #expect(deleted.findings(of: "RACP-019").map(\.level) == [.error])
    let resumed = try Self.judge(
      broken + [Self.monitor.fetch(.atLeast(61), 13...30), Self.monitor.delete(), .farewell],
      side
    )
    #expect(Self.rules(resumed) == ["CONN-004"])
    #expect(resumed.inconclusive.contains { $0.rule == "RACP-019" })
  }

  @Test(arguments: Party.allCases)
  func whatIsNotReadIsNoPass(side: Party) throws {
    let empty: [Step] = [
      Self.monitor.arrival(besideGlucose: false), Self.monitor.subscription, Self.monitor.request(.report, .all),
      .accept, Self.monitor.result(0x01, 0x01), .farewell,
    ]
    let judged = try Self.judge(empty, side)
    #expect(judged.findings.allSatisfy { $0.rule.area != "RACP" }, "\(judged.findings.map(\.message))")
    #expect(judged.inconclusive.contains { $0.rule == "RACP-008" } && !judged.passed.contains("RACP-008"))
  }

  // MARK: Beside the glucose service

  @Test(arguments: Party.allCases)
  func twoStoresAreJudgedByThemselves(side: Party) throws {
    let both: [Step] = [Self.monitor.arrival(besideGlucose: true), .subscribe(), Self.monitor.subscription]
    let good =
      both + [
        .ask(answer: 6), Self.monitor.count(9), .fetch(.all, 1...6), Self.monitor.fetch(.all, 1...9), .farewell,
        .later(minutes: 60), .bondedArrival, .fetchNothing(.atLeast(7)), Self.monitor.fetch(.atLeast(50), 10...12),
        .farewell,
      ]
    #expect(Self.rules(try Self.judge(good, side)) == [])
    let unread =
      both + [
        .ask(answer: 6), Self.monitor.fetch(.all, 1...9), .delete(.all), .accept, .result(.delete, .success), .confirm,
        .farewell,
      ]
    #expect(Self.rules(try Self.judge(unread, side)) == ["RACP-019"])
    let oneOff: [Step] = [
      Self.monitor.arrival(besideGlucose: true), .subscribe(), .fetch(.all, 1...6),
      Self.monitor.request(.report, .all), .refuse(error: 0xFD), .farewell,
    ]
    let refused = try Self.judge(oneOff, side)
    #expect(Self.rules(refused) == ["GATT-003"])
    #expect(refused.findings.first?.level == .error)
    let otherOff: [Step] = [
      Self.monitor.arrival(besideGlucose: true), Self.monitor.subscription, Self.monitor.fetch(.all, 1...6),
      .report(.all), .refuse(error: 0x81), .farewell,
    ]
    #expect(Self.rules(try Self.judge(otherOff, side)) == ["GATT-003"])
  }

  @Test(arguments: Party.allCases, [false, true])
  func whoseRecordsTheyAreMayBeUnknown(side: Party, isRewritten: Bool) throws {
    let steps: [Step] =
      [.bondedArrival] + (isRewritten ? [.subscribe(), Self.monitor.subscription] : []) + [
        .fetch(.atLeast(7), 7...12), Self.monitor.fetch(.atLeast(50), 10...12), .farewell,
      ]
    let judged = try Self.judge(steps, side)
    #expect(judged.findings.allSatisfy { $0.rule.area != "RACP" }, "\(judged.findings.map(\.message))")
    #expect(judged.inconclusive.contains { $0.rule == "RACP-008" })
  }
}

import BluetoothWire
import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

/// Records that the collector turns off or on while a report runs: what may not be sent is not missing.
@Suite struct TurnedOffTests {
  private static let meter = Meter()
  private static let off = Step.subscribe([.measurement], isOn: false)

  private static func judge(_ steps: [Step], _ side: Party) throws -> Judgement {
    try Judgement(Scenario("turned-off", steps), Rendering(side: side))
  }

  @Test(arguments: Party.allCases)
  func `contexts that go on alone are no orphans`(side: Party) throws {
    let begun: [Step] = [.firstArrival, .report(.all), .accept]
    let contexts: [Step] = [.context(Self.meter.context(4)), .context(Self.meter.context(8))]
    let end: [Step] = [.result(.report, .success), .confirm, .farewell]
    let again: [Step] = [
      .context(Self.meter.context(4)), .subscribe([.measurement]), .context(Self.meter.context(8)), .records(9...10),
    ]
    let excused: [[Step]] = [
      [.records(1...3), Self.off] + contexts, [.records(1...3), Self.off] + again,
      [.subscribe([.context, .recordAccess])] + [.record(1), Self.off] + contexts,
    ]
    for steps in excused {
      let judged = try Self.judge(begun + steps + end, side)
      #expect(judged.findings(of: "SEQ-010").isEmpty, "\(judged.findings.map(\.message))")
      #expect(judged.inconclusive.contains { $0.rule == "SEQ-010" && $0.reason.contains("turned off") })
    }
    // Where not a single measurement came there is none to which one could belong.
    let alone = try Self.judge(begun + [Self.off] + contexts + end, side)
    #expect(alone.findings(of: "SEQ-010").isEmpty, "\(alone.findings.map(\.message))")
    // Its measurement had come long before.
    let late: [Step] = [.records(1...5), Self.off, .context(Self.meter.context(4))]
    #expect(try Self.judge(begun + late + end, side).findings(of: "SEQ-010").map(\.level) == [.error])
    let on: [Step] = [.records(1...3)] + contexts
    #expect(try Self.judge(begun + on + end, side).findings(of: "SEQ-010").map(\.level) == [.error])
  }

  @Test(arguments: Party.allCases)
  func `the first measurement after records were turned on need not be the first of the report`(side: Party) throws {
    let steps: [Step] = [
      .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .subscribe([.context, .recordAccess]), .report(.all),
      .accept, .wait(milliseconds: 200),
    ]
    let rest: [Step] = [
      .measurement(Self.meter.measurement(13, withOffset: false)),
      .measurement(Self.meter.measurement(14, withOffset: false)), .result(.report, .success), .confirm, .farewell,
    ]
    let judged = try Self.judge(steps + [.subscribe([.measurement])] + rest, side)
    #expect(judged.findings.map(\.rule).filter { $0 != "GATT-003" && $0 != "GATT-004" } == [])
    #expect(judged.inconclusive.contains { $0.rule == "CLK-011" })
    // A sensor that sends what is off has sent the first.
    #expect(try Self.judge(steps + rest, side).findings(of: "CLK-011").map(\.level) == [.error])
  }

  @Test(arguments: Party.allCases)
  func `a silence of the collector's own making is not taken for the end`(side: Party) throws {
    let begun: [Step] = [.firstArrival, .ask(answer: 12), .report(.all), .accept, .records(1...5)]
    let left: [Step] = [.wait(milliseconds: 1000), .disconnect()]
    for places in [Step.Subscription.allCases, [.measurement], [.recordAccess]] {
      let judged = try Self.judge(begun + [.subscribe(places, isOn: false)] + left, side)
      #expect(judged.findings(of: "APP-003").map(\.level) == [.note])
    }
    #expect(try Self.judge(begun + left, side).findings(of: "APP-003").map(\.level) == [.warning])
  }

  @Test(arguments: Party.allCases)
  func `leaving a sensor that never ends stands under what it does`(side: Party) throws {
    let steps: [Step] = [
      .firstArrival, .report(.all), .accept, .records(1...6), .record(1), .records(2...3), .disconnect(),
    ]
    let found = try Self.judge(steps, side).findings
    #expect(found.map(\.rule) == ["RACP-023"] && found.flatMap(\.consequences).contains { $0.rule == "APP-003" })
  }
}

/// One cause at one end of a link, and one finding.
@Suite struct OneCauseTests {
  private static func judge(_ steps: [Step], _ side: Party) throws -> Judgement {
    try Judgement(Scenario("one-cause", steps), Rendering(side: side))
  }

  @Test(arguments: Party.allCases)
  func `the late rest of a report without its result is said once`(side: Party) throws {
    let begun: [Step] = [
      .firstArrival, .ask(answer: 30), .report(.all), .accept, .records(1...9), .wait(milliseconds: 32_000),
      .report(.atLeast(10)), .refuse(error: 0x80), .wait(milliseconds: 13_000),
    ]
    let end: [Step] = [.result(.report, .success), .confirm, .farewell]
    let judged = try Self.judge(begun + [.records(10...30)] + end, side)
    #expect(judged.findings(of: "RACP-028").isEmpty, "\(judged.findings.map(\.message))")
    #expect(judged.findings(of: "RACP-004").count == 1)
  }

  @Test(arguments: Party.allCases)
  func `a collector that confirms nothing is named once`(side: Party) throws {
    let steps: [Step] = [
      .firstArrival, .count(.all), .accept, .counted(3), .wait(milliseconds: 33_000), .report(.all), .accept,
      .records(1...3), .result(.report, .success), .wait(milliseconds: 11_000), .disconnect(),
    ]
    let found = try Self.judge(steps, side).findings(of: "GATT-008")
    #expect(found.map(\.level) == [.error] && found.map(\.fault) == [.collector], "\(found.map(\.message))")
  }

  @Test(arguments: Party.allCases)
  func `a record that is off and comes after the result is said once`(side: Party) throws {
    let steps: [Step] = [
      .firstArrival, .fetch(.all, 1...6), .subscribe([.measurement], isOn: false), .wait(milliseconds: 1000),
      .record(7), .farewell,
    ]
    let found = try Self.judge(steps, side).findings
    #expect(found.map(\.rule) == ["GATT-007"], "\(found.map(\.message))")
  }

  @Test(arguments: Party.allCases)
  func `a link that is lost after the result has come has lost no result`(side: Party) throws {
    let steps: [Step] = [
      .firstArrival, .ask(answer: 6), .report(.all), .accept, .records(1...6), .result(.report, .success),
      .wait(milliseconds: 5000), .linkLoss,
    ]
    let found = try Self.judge(steps, side).findings(of: "CONN-004")
    // Without its acknowledgement the sensor's host cannot tell.
    #expect(side == .collector ? found.isEmpty : found.allSatisfy { $0.level == .note })
  }

  @Test(arguments: Party.allCases)
  func `a collector's own private address is known at its own end`(side: Party) throws {
    let rest: [Step] = [
      .exchangeMTU(185), .pair(), .discoverGlucose, .subscribe(), .fetch(.all, 1...3), .farewell,
    ]
    var scenario = Scenario("private", [.adapterAppears, .advertise, .connect()] + rest)
    scenario.collectorAddress = DeviceAddress(value: 0x5A17_D8FC_96F0, isRandom: true)
    let judged = try Judgement(scenario, Rendering(side: side))
    #expect(judged.findings(of: "SEC-010").map(\.message).allSatisfy { $0.hasPrefix("the collector") })
    #expect(judged.findings(of: "SEC-010").count == 1)
  }
}

/// What the date and the number of a single record tell.
@Suite struct SingleRecordTests {
  /// Its record 32 is taken when the capture begins.
  private static let meter: Meter = {
    var meter = Meter()
    meter.firstBaseTime = 1_772_611_200 - 31 * 21_600
    return meter
  }()

  @Test(arguments: Party.allCases)
  func `a record of days before is no new one`(side: Party) throws {
    let none: [Step] = [.result(.report, .noRecordsFound), .confirm, .farewell]
    let old = try Judgement(
      Scenario("old", [.firstArrival, .report(.all), .accept, .record(1)] + none),
      Rendering(side: side)
    )
    #expect(old.findings(of: "RACP-008").map(\.level) == [.error])
    let new = try Judgement(
      Scenario("new", [.selectMeter(Self.meter), .firstArrival, .report(.all), .accept, .record(32)] + none),
      Rendering(side: side)
    )
    #expect(new.findings(of: "RACP-008").map(\.level) == [.warning])
  }

  @Test(arguments: Party.allCases)
  func `a reading of that moment may come though the request passes over it`(side: Party) throws {
    let end: [Step] = [.result(.report, .noRecordsFound), .confirm, .farewell]
    let begun: [Step] = [.selectMeter(Self.meter), .firstArrival, .report(.atLeast(33)), .accept]
    let live = try Judgement(Scenario("live", begun + [.record(32)] + end), Rendering(side: side))
    #expect(live.findings.map(\.rule) == ["RACP-024"], "\(live.findings.map(\.message))")
    let stored = try Judgement(Scenario("stored", begun + [.record(20)] + end), Rendering(side: side))
    #expect(stored.findings(of: "RACP-010").map(\.level) == [.error])
  }
}

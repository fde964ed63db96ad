import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

private let first: [Step] = [.firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60)]

@Test func `a bonded reconnection keeps its subscriptions, and nobody is accused`() throws {
  let scenario = Scenario("bonded", first + [.bondedArrival, .fetchNothing(.atLeast(7)), .farewell])
  for side in Party.allCases {
    let judged = try Judgement(scenario, Rendering(side: side))
    #expect(judged.findings.map(\.message).isEmpty)
    // The first link shows what the bond keeps.
    #expect(!judged.inconclusive.contains { $0.rule == "GATT-003" || $0.rule == "GATT-004" })
    let later = Scenario("later", [.bondedArrival, .discoverGlucose, .fetchNothing(.atLeast(7)), .farewell])
    let unseen = try Judgement(later, Rendering(side: side))
    #expect(unseen.findings.map(\.message).isEmpty)
    #expect(unseen.inconclusive.contains { $0.rule == "GATT-003" })
    #expect(unseen.inconclusive.contains { $0.rule == "GATT-004" })
  }
}

@Test func `what was never turned on since they bonded is off on the next link`() throws {
  let steps: [Step] = [
    .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .farewell, .later(minutes: 60), .bondedArrival,
    .report(.all), .refuse(error: 0x81), .wait(milliseconds: 400), .disconnect(),
  ]
  for side in Party.allCases {
    let early = try Judgement(Scenario("never-on", steps), Rendering(side: side)).findings(of: "GATT-003")
    #expect(early.map(\.level) == [.error])
    #expect(early.map(\.fault) == [.collector])
  }
}

@Test func `a result that never comes is missed on a bonded link too`() throws {
  let silent: [Step] = [.report(.atLeast(5)), .accept, .wait(milliseconds: 35_000), .disconnect()]
  for side in Party.allCases {
    let found = try Judgement(
      Scenario("no-result", first + [.bondedArrival, .ask(answer: 5)] + silent),
      Rendering(side: side)
    ).findings
    #expect(found.map(\.rule) == ["RACP-004"])
    // Where nothing at all comes over the link, what the bond should have kept is forgotten.
    let forgotten = try Judgement(Scenario("nothing", first + [.bondedArrival] + silent), Rendering(side: side))
      .findings
    #expect(forgotten.map(\.rule) == ["GATT-006"])
    #expect(forgotten.flatMap(\.consequences).map(\.rule) == ["RACP-004"])
  }
}

@Test func `where indications are off nobody knows whether a procedure still runs`() throws {
  let steps: [Step] = [
    .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .count(.all), .accept, .wait(milliseconds: 3000),
    .report(.last), .accept, .wait(milliseconds: 400), .disconnect(),
  ]
  for side in Party.allCases {
    let found = try Judgement(Scenario("off", steps), Rendering(side: side)).findings
    #expect(Set(found.map(\.rule)) == ["GATT-003", "GATT-004"])
  }
}

@Test func `a missing subscription of unseen history is nobody's certain fault`() throws {
  let scenario = Scenario("forgotten", first + [.bondedArrival, .report(.all), .refuse(error: 0x81), .farewell])
  let judged = try Judgement(scenario)
  // The other link shows that they were set under the same bond: the sensor has forgotten them.
  #expect(judged.findings.map(\.rule) == ["GATT-006"])
  let found = judged.linkFindings
  #expect(found.map(\.rule) == ["GATT-003"])
  #expect(found.first?.level == .warning && found.first?.fault == .undetermined)
  #expect(found.first?.confidence == .possible)
}

@Test func `a subscription that was read counts as one that was written`() throws {
  let reads: [Step] = [
    .read(.measurementConfiguration, value: [1, 0]), .read(.contextConfiguration, value: [1, 0]),
    .read(.recordAccessConfiguration, value: [2, 0]),
  ]
  let steps: [Step] = [.bondedArrival, .discoverGlucose] + reads + [.fetch(.all, 1...6), .farewell]
  let judged = try Judgement(Scenario("read", steps))
  #expect(judged.findings.map(\.message).isEmpty)
  #expect(judged.passed.contains("GATT-003") && judged.passed.contains("GATT-004"))
}

@Test func `a request that is turned off again is early`() throws {
  let steps: [Step] = [
    .firstArrival, .fetch(.all, 1...6), .subscribe([.recordAccess], isOn: false), .ask(answer: 6), .farewell,
  ]
  let found = try Judgement(Scenario("turned-off", steps)).findings
  #expect(found.map(\.rule) == ["GATT-003", "GATT-004", "GATT-007"])
  #expect(found.map(\.level) == [.error, .note, .error])
}

@Test func `records of an overlap are neither twice nor out of order`() throws {
  let steps: [Step] = [
    .firstArrival, .ask(answer: 4), .report(.all), .accept, .record(1), .report(.all), .accept, .record(2), .record(1),
    .record(3), .record(2), .result(.report, .success), .confirm, .record(3), .result(.report, .success), .confirm,
    .farewell,
  ]
  let scenario = Scenario("overlap", steps)
  let whole = scenario.frames().count
  for cut in 0..<whole {
    var rendering = Rendering()
    rendering.cutFirst = cut
    let found = try Judgement(scenario, rendering).findings.filter { $0.rule.area != "CAP" }
    #expect(found.allSatisfy { $0.rule == "RACP-001" || $0.rule == "RACP-002" }, "without the first \(cut)")
  }
}

@Test func `a packet that crosses the abort is no second result`() throws {
  let steps: [Step] = [
    .firstArrival, .report(.all), .accept, .records(1...3), .result(.report, .success), .abort, .confirm, .accept,
    .result(.abort, .abortUnsuccessful), .confirm, .farewell,
  ]
  for side in Party.allCases {
    #expect(try Judgement(Scenario("crossing", steps), Rendering(side: side)).findings.map(\.message).isEmpty)
  }
}

@Test func `a value that turns nothing on explains the refusal after it`() throws {
  let steps: [Step] = [
    .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .subscribe([.measurement, .context]),
    .write(.recordAccessConfiguration, [1, 0]), .accept, .report(.all), .refuse(error: 0x81), .farewell,
  ]
  let judged = try Judgement(Scenario("odd", steps))
  #expect(judged.findings.map(\.rule) == ["GATT-005"])
  #expect(!judged.passed.contains("GATT-003"))
}

@Test func `a descriptor that was not discovered may turn on anything`() throws {
  let steps: [Step] = [
    .arrival, .exchangeMTU(185), .pair(), .askForServices(), .tellServices([.init(0x0019, 0x0024, 0x1808)]),
    .askForCharacteristics(from: 0x0019, to: 0x0024),
    .tellCharacteristics([.init(0x001A, 0x10, 0x2A18), .init(0x0020, 0x02, 0x2A51), .init(0x0022, 0x28, 0x2A52)]),
    .subscribe([.measurement, .recordAccess]), .report(.all), .accept,
  ]
  let judged = try Judgement(Scenario("undiscovered", steps))
  #expect(!judged.findings.contains { $0.rule == "GATT-003" || $0.rule == "GATT-004" })
}

@Test func `a table that changed is no fault where the collector did not ask to be told`() throws {
  var moved = Meter()
  moved.glucoseService = 0x0030
  let steps: [Step] = [
    .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .selectMeter(moved), .bondedArrival,
    .discoverGlucose, .subscribe(), .fetchNothing(.atLeast(7)), .farewell,
  ]
  let judged = try Judgement(Scenario("untold", steps))
  #expect(judged.findings(of: "GATT-013").isEmpty)
  #expect(judged.inconclusive.contains { $0.rule == "GATT-013" })
}

@Test func `the offset of a record behind one that is not there is not known`() throws {
  func record(_ number: UInt16, _ offset: Int16?) -> Step {
    var measurement = Meter().measurement(number)
    measurement.contextFollows = false
    measurement.timeOffset = offset
    return .measurement(measurement)
  }
  let first: [Step] = [record(1, 0), record(2, 60), record(3, nil)]
  // The record that carries the new offset is not in the capture.
  let again: [Step] = [record(1, 0), record(3, nil)]
  func report(_ records: [Step]) -> [Step] {
    [.report(.all), .accept] + records + [.result(.report, .success), .confirm, .farewell]
  }
  let steps = [.firstArrival] + report(first) + [.later(minutes: 1), .bondedArrival] + report(again)
  #expect(try Judgement(Scenario("hole", steps)).findings(of: "CLK-004").isEmpty)
  let other =
    [.firstArrival] + report(first) + [.later(minutes: 1), .bondedArrival] + report([record(1, 0), record(2, 0)])
  #expect(try Judgement(Scenario("moved", other)).findings(of: "CLK-004").map(\.level) == [.error])
}

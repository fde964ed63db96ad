import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

/// Subscriptions that are written in odd ways, or turned off while a request runs (Core Vol 3 Part G 3.3.3.3).
@Suite struct SubscriptionTests {
  private static let discovered: [Step] = [.arrival, .exchangeMTU(185), .pair(), .discoverGlucose]
  private static let off = Step.subscribe(isOn: false)

  private static func judge(_ steps: [Step], _ side: Party) throws -> Judgement {
    try Judgement(Scenario("subscriptions", steps), Rendering(side: side))
  }

  /// What was said that is more than a note, but for what the capture itself lacks.
  private static func grave(_ steps: [Step], _ side: Party) throws -> [String] {
    try judge(steps, side).findings.filter { $0.level > .note }.map { "\($0.rule) \($0.fault): \($0.message)" }
  }

  @Test(arguments: Party.allCases)
  func `what commands turn on accuses nobody`(side: Party) throws {
    let steps: [Step] = [
      .writeCommand(.measurementConfiguration, [1, 0]), .writeCommand(.contextConfiguration, [1, 0]),
      .writeCommand(.recordAccessConfiguration, [2, 0]), .ask(answer: 6), .fetch(.all, 1...6), .farewell,
    ]
    #expect(try Self.grave(Self.discovered + steps, side) == [])
    let judged = try Self.judge(Self.discovered + steps, side)
    #expect(judged.inconclusive.contains { $0.rule == "GATT-003" && $0.reason.contains("in a way") })
  }

  @Test(arguments: Party.allCases)
  func `a single octet that is accepted accuses nobody`(side: Party) throws {
    let steps: [Step] = [
      .write(.measurementConfiguration, [1]), .accept, .write(.contextConfiguration, [1]), .accept,
      .write(.recordAccessConfiguration, [2]), .accept, .ask(answer: 6), .fetch(.all, 1...6), .farewell,
    ]
    #expect(try Self.grave(Self.discovered + steps, side) == [])
  }

  @Test(arguments: Party.allCases)
  func `what a prepared write turns off is off`(side: Party) throws {
    let steps: [Step] = [
      .firstArrival, .fetch(.all, 1...6), .writeLong(.measurementConfiguration, [0, 0]), .accept, .report(.atLeast(7)),
      .refuse(error: 0x81), .farewell,
    ]
    let found = try Self.judge(steps, side).findings(of: "GATT-003")
    #expect(found.map(\.level) == [.error] && found.map(\.fault) == [.collector])
  }

  @Test(arguments: Party.allCases)
  func `a result that may not be sent any more is not missing`(side: Party) throws {
    let midway: [Step] = [.firstArrival, .ask(answer: 12), .report(.all), .accept, .records(1...6)]
    let ends: [[Step]] = [
      [Self.off], [.subscribe([.recordAccess], isOn: false), .records(7...12)],
      [.writeCommand(.recordAccessConfiguration, [0, 0])], [.writeLong(.recordAccessConfiguration, [0, 0]), .accept],
    ]
    for end in ends {
      let judged = try Self.judge(midway + end + [.wait(milliseconds: 40_000), .disconnect()], side)
      #expect(judged.findings.allSatisfy { $0.fault != .sensor }, "\(judged.findings.map(\.message))")
      #expect(judged.inconclusive.contains { $0.rule == "RACP-004" })
    }
  }

  @Test(arguments: Party.allCases)
  func `a request after indications were off and on again is not the sensor's to refuse`(side: Party) throws {
    let steps: [Step] = [
      .firstArrival, .ask(answer: 12), .report(.all), .accept, .records(1...6), Self.off, .wait(milliseconds: 5000),
      .subscribe(), .report(.atLeast(7)), .accept, .records(7...12), .result(.report, .success), .confirm, .farewell,
    ]
    let judged = try Self.judge(steps, side)
    #expect(judged.findings.allSatisfy { $0.fault != .sensor }, "\(judged.findings.map(\.message))")
    // The collector had neither a result nor waited for the timer.
    #expect(judged.findings(of: "RACP-001").map(\.fault) == [.collector])
  }

  @Test(arguments: Party.allCases)
  func `records that were turned off are not counted as left out`(side: Party) throws {
    let steps: [Step] = [
      .firstArrival, .ask(answer: 12), .report(.all), .accept, .records(1...6),
      .subscribe([.measurement], isOn: false), .wait(milliseconds: 4000), .result(.report, .success), .confirm,
      .farewell,
    ]
    let judged = try Self.judge(steps, side)
    #expect(judged.findings.allSatisfy { $0.fault != .sensor }, "\(judged.findings.map(\.message))")
    #expect(judged.inconclusive.contains { $0.rule == "RACP-009" && $0.reason.contains("turned the records off") })
    let early: [Step] = [
      .firstArrival, .report(.all), .accept, .subscribe([.measurement], isOn: false), .result(.report, .success),
      .confirm, .farewell,
    ]
    let empty = try Self.judge(early, side)
    #expect(empty.findings(of: "RACP-008").isEmpty, "\(empty.findings.map(\.message))")
  }

  @Test(arguments: Party.allCases)
  func `a signed request accuses the collector alone`(side: Party) throws {
    let steps: [Step] = [
      .firstArrival, .signedWriteCommand(.recordAccess, [1, 1]), .records(1...6), .result(.report, .success), .confirm,
      .farewell,
    ]
    let found = try Self.judge(steps, side).findings
    #expect(found.map { "\($0.rule)" } == ["GATT-011"] && found.map(\.fault) == [.collector])
  }

  /// Each of the three may be the one that was not written again.
  @Test(arguments: [Step.Subscription.measurement, .context, .recordAccess], Party.allCases)
  func `a subscription that a bond has lost is missed whatever else was written again`(
    lost: Step.Subscription,
    side: Party
  ) throws {
    let first: [Step] = [.firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .bondedArrival]
    let rest = Step.Subscription.allCases.filter { $0 != lost }
    let refused: [Step] = [.report(.atLeast(7)), .refuse(error: 0x81), .farewell]
    let judged = try Self.judge(first + [.subscribe(rest)] + refused, side)
    let found = judged.findings(of: "GATT-006")
    #expect(found.map(\.level) == [.error] && found.map(\.fault) == [.sensor])
    #expect(judged.findings(of: "GATT-003").isEmpty)
    // One that is written as a command may have turned it off.
    let doubtful = try Self.judge(first + [.writeCommand(.contextConfiguration, [0, 0])] + refused, side)
    #expect(doubtful.findings(of: "GATT-006").isEmpty)
    // All of them are written on the link itself: whatever the sensor misses, the collector has turned it on.
    let all = try Self.judge(first + [.subscribe()] + refused, side)
    #expect(all.findings(of: "GATT-006").map(\.level) == [.error])
    #expect(all.findings(of: "GATT-003").isEmpty)
  }

  /// A sensor that refuses although everything was turned on over the link is accused, unless something may explain it.
  @Test(arguments: Party.allCases)
  func `a refusal behind three accepted subscriptions is the sensor's fault`(side: Party) throws {
    let refused: [Step] = [.count(.all), .refuse(error: 0x81), .report(.all), .refuse(error: 0x81), .farewell]
    let found = try Self.judge(Self.discovered + [.subscribe()] + refused, side).findings
    #expect(found.map { "\($0.rule) \($0.level)" } == ["GATT-006 error"], "\(found.map(\.message))")
    let excused: [[Step]] = [
      // One of them is off, or was never turned on.
      Self.discovered + [.subscribe([.measurement, .recordAccess])],
      Self.discovered + [.subscribe(), .subscribe([.context], isOn: false)],
      // They were written before the link was encrypted, or in a way that the sensor may ignore.
      [.arrival, .exchangeMTU(185), .discoverGlucose, .subscribe(), .pair()],
      Self.discovered + [.subscribe([.measurement, .context]), .writeCommand(.recordAccessConfiguration, [2, 0])],
      // The table has changed since.
      Self.discovered + [.subscribe(), .indicate(.handle(0x0008), [1, 0, 0xFF, 0xFF]), .confirm],
    ]
    for steps in excused {
      let judged = try Self.judge(steps + refused, side)
      #expect(judged.findings(of: "GATT-006").isEmpty, "\(judged.findings.map(\.message))")
    }
  }

  @Test(arguments: Party.allCases)
  func `records as indications are said once`(side: Party) throws {
    let meter = Meter()
    let steps: [Step] = [
      .firstArrival, .ask(answer: 4), .report(.all), .accept, .records(1...3),
      .measurement(meter.measurement(4, withOffset: false)), .indicate(.context, meter.context(4).octets), .confirm,
      .result(.report, .success), .confirm, .farewell,
    ]
    let found = try Self.judge(steps, side).findings
    #expect(found.map { "\($0.rule)" } == ["GATT-007"] && found.map(\.fault) == [.sensor], "\(found.map(\.message))")
  }
}

@Test func `an answer to another request than the one that timed out tells of a hole`() throws {
  let steps: [Step] = [
    .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .attribute(from: .collector, [0x0A, 0x21, 0x00]),
    .wait(milliseconds: 33_000),
  ]
  let unasked: [Step] = [
    .accept, .subscribe([.context, .recordAccess]), .report(.all), .refuse(error: 0x81), .farewell,
  ]
  let late: [Step] = [.attribute(from: .sensor, [0x0B, 0x00, 0x00])] + unasked.dropFirst()
  for side in Party.allCases {
    let holed = try Judgement(Scenario("holed", steps + unasked), Rendering(side: side))
    #expect(holed.findings(of: "GATT-003").isEmpty)
    #expect(holed.inconclusive.contains { $0.rule == "GATT-003" })
    let answered = try Judgement(Scenario("late", steps + late), Rendering(side: side))
    #expect(answered.findings(of: "GATT-003").map(\.level) == [.error])
  }
}

@Test func `where configurations are written by command one may be missing without a trace`() throws {
  let steps: [Step] = [
    .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .writeCommand(.contextConfiguration, [1, 0]),
    .writeCommand(.recordAccessConfiguration, [2, 0]), .report(.all), .refuse(error: 0x81), .farewell,
  ]
  for side in Party.allCases {
    let found = try Judgement(Scenario("commands", steps), Rendering(side: side)).findings(of: "GATT-003")
    #expect(found.map(\.level) == [.warning])
    #expect(found.map(\.fault) == [.collector] && found.map(\.confidence) == [.likely])
  }
}

@Test func `what keeps a subscription from being known is told as it is`() throws {
  let odd: [Step] = [
    .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .write(.measurementConfiguration, [1]), .accept,
    .subscribe([.context, .recordAccess]), .fetch(.all, 1...3), .farewell,
  ]
  for side in Party.allCases {
    let judged = try Judgement(Scenario("odd", odd), Rendering(side: side))
    let reasons = judged.inconclusive.filter { $0.rule == "GATT-004" }.map(\.reason)
    #expect(reasons == ["the subscriptions were written in a way that does not tell whether the sensor holds them"])
  }
}

import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

private let first: [Step] = [.firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60)]

/// LE Enable Encryption of the rendering's first link, and its Command Status.
private let order: [Step] = [
  .command([0x19, 0x20, 28, 0x40, 0x00] + [UInt8](repeating: 0, count: 26)),
  .event([0x0F, 4, 0x00, 1, 0x19, 0x20]),
]
private let encrypted: Step = .event([0x08, 4, 0x00, 0x40, 0x00, 1])

private func judge(_ steps: [Step], _ side: Party) throws -> Judgement {
  try Judgement(Scenario("crossing", steps), Rendering(side: side))
}

@Test func `a forgotten subscription weighs the same from both ends, whatever the bond was`() throws {
  let steps =
    first + [
      .arrival, .encrypt(status: 6), .pair(beginsWithSecurityRequest: false), .report(.all), .refuse(error: 0x81),
      .farewell,
    ]
  let found = try Party.allCases.map { try judge(steps, $0).findings(of: "GATT-003") }
  #expect(found[0].map(\.level) == [.warning] && found[1].map(\.level) == [.warning])
  #expect(found[0].map(\.fault) == found[1].map(\.fault))
}

@Test func `a request that races the order to encrypt is no late encryption for the sensor`() throws {
  let asks: [Step] = [.security(from: .sensor, [0x0B, 0x01])]
  let request: [Step] = [.write(.recordAccessConfiguration, [2, 0]), .refuse(error: 0x0F)]
  let rest: [Step] = [.subscribe([.recordAccess]), .fetchNothing(.atLeast(7)), .farewell]
  let collector = try judge(first + [.arrival] + asks + order + request + [encrypted] + rest, .collector)
  #expect(collector.findings.map(\.rule) == ["SEC-006"])
  let sensor = try judge(first + [.arrival] + asks + request + [.encrypt()] + rest, .sensor)
  #expect(sensor.findings.map(\.rule).isEmpty)
  for rule in ["SEC-006", "SEC-012"] as [RuleIdentifier] {
    #expect(sensor.inconclusive.contains { $0.rule == rule })
  }
  // A request that goes out just before the order is no race, and its refusal was not waited for.
  let before: [Step] = [.write(.recordAccessConfiguration, [2, 0])] + order + [.refuse(error: 0x0F), encrypted]
  #expect(try judge(first + [.arrival] + asks + before + rest, .collector).findings(of: "SEC-012").isEmpty)
}

@Test func `a sensor that did not ask for security is accused only where its refusal came first`() throws {
  let request: [Step] = [.write(.recordAccessConfiguration, [2, 0]), .refuse(error: 0x0F)]
  let rest: [Step] = [.subscribe([.recordAccess]), .fetchNothing(.atLeast(7)), .farewell]
  #expect(
    try judge(first + [.arrival] + order + request + [encrypted] + rest, .collector).findings(of: "SEC-011").isEmpty
  )
  let sensor = try judge(first + [.arrival] + request + [.encrypt()] + rest, .sensor)
  #expect(sensor.findings(of: "SEC-011").isEmpty)
  #expect(sensor.inconclusive.contains { $0.rule == "SEC-011" })
  // The Security Request is on its way when the collector begins to pair.
  let pairing: [Step] = [
    .arrival, .exchangeMTU(185), .discoverGlucose, .write(.recordAccessConfiguration, [2, 0]), .refuse(error: 0x05),
    .crossing(
      fromCollector: .security(from: .collector, [0x01, 4, 0, 9, 16, 0, 0]),
      fromSensor: .security(from: .sensor, [0x0B, 0x09])
    ),
    .security(from: .sensor, [0x02, 3, 0, 9, 16, 0, 0]), .encrypt(), .subscribe(), .fetch(.all, 1...3), .farewell,
  ]
  for side in Party.allCases { #expect(try judge(pairing, side).findings(of: "SEC-011").isEmpty) }
}

@Test func `a reading that crosses the request is no early answer for the collector's host`() throws {
  let steps: [Step] = [
    .firstArrival, .fetch(.all, 1...6), .wait(milliseconds: 5000),
    .crossing(fromCollector: .report(.atLeast(7)), fromSensor: .record(7)), .accept, .record(7),
    .result(.report, .success), .confirm, .farewell,
  ]
  let collector = try judge(steps, .collector)
  #expect(collector.findings.map(\.rule).filter { $0.area == "RACP" || $0.area == "SEQ" }.isEmpty)
  for rule in ["RACP-026", "RACP-028"] as [RuleIdentifier] {
    #expect(collector.inconclusive.contains { $0.rule == rule })
  }
  #expect(try judge(steps, .sensor).findings.map(\.rule).contains("RACP-028"))
}

@Test func `records that trail behind a result and cross the next request are no early answer`() throws {
  let steps: [Step] = [
    .firstArrival, .report(.all), .accept, .records(1...4), .result(.report, .success), .confirm,
    .crossing(fromCollector: .report(.atLeast(7)), fromSensor: .records(5...6)), .accept,
    .result(.report, .noRecordsFound), .confirm, .farewell,
  ]
  let found = try Party.allCases.map { try judge(steps, $0).findings }
  #expect(found[0].map(\.rule) == ["RACP-027"])
  #expect(found[0].map(\.fingerprint) == found[1].map(\.fingerprint))
}

@Test func `a record that comes again behind the Write Response is not sent twice in the report`() throws {
  let steps: [Step] = [
    .firstArrival, .report(.all), .accept, .records(1...5), .result(.report, .success), .confirm,
    .crossing(fromCollector: .report(.atLeast(6)), fromSensor: .changedRecord(6)), .accept,
    .changedRecord(6, withOffset: true), .result(.report, .success), .confirm, .farewell,
  ]
  for side in Party.allCases {
    let found = try judge(steps, side).findings
    #expect(found.isEmpty, "\(found.map(\.message))")
  }
}

@Test func `records before the Write Response that do not come again are an early answer`() throws {
  let steps: [Step] = [
    .firstArrival, .report(.all), .accept, .records(1...3), .result(.report, .success), .confirm, .report(.atLeast(4)),
    .changedRecord(4, withOffset: true), .changedRecord(5), .accept, .changedRecord(6), .result(.report, .success),
    .confirm, .farewell,
  ]
  #expect(try judge(steps, .sensor).findings.map(\.rule) == ["RACP-026"])
  let collector = try judge(steps, .collector)
  #expect(collector.findings.map(\.rule).isEmpty)
  #expect(collector.inconclusive.contains { $0.rule == "RACP-026" })
}

@Test func `a result too many that crosses another request is one of the earlier`() throws {
  // Also where the link ends before the later request has its own.
  for rest in [[Step.counted(6), .confirm, .farewell], [.farewell]] {
    let steps: [Step] = [
      .firstArrival, .fetch(.all, 1...6),
      .crossing(fromCollector: .count(.all), fromSensor: .result(.report, .success)), .accept, .confirm,
    ]
    for side in Party.allCases {
      let found = try judge(steps + rest, side).findings.filter { $0.rule.area == "RACP" }
      #expect(found.map(\.rule) == ["RACP-007"], "\(found.map(\.message))")
    }
  }
}

@Test func `a late result that crosses the request after the time-out accuses nobody of asking too early`() throws {
  let steps: [Step] = [
    .firstArrival, .report(.all), .accept, .records(1...3), .wait(milliseconds: 40_000),
    .crossing(fromCollector: .report(.atLeast(4)), fromSensor: .result(.report, .success)), .accept, .confirm,
    .changedRecord(4, withOffset: true), .result(.report, .success), .confirm, .farewell,
  ]
  for side in Party.allCases {
    #expect(try judge(steps, side).findings(of: "RACP-031").isEmpty)
    #expect(try judge(steps, side).findings(of: "RACP-007").isEmpty)
  }
}

@Test func `a value that crosses the write that turns it on accuses nobody at the collector's end`() throws {
  let steps: [Step] = [
    .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .subscribe([.context, .recordAccess]),
    .crossing(fromCollector: .write(.measurementConfiguration, [1, 0]), fromSensor: .record(1, withContext: false)),
    .accept, .fetch(.all, 1...3), .farewell,
  ]
  #expect(try judge(steps, .sensor).findings.map(\.rule).contains("GATT-007"))
  let collector = try judge(steps, .collector)
  #expect(collector.findings(of: "GATT-007").isEmpty)
  #expect(collector.inconclusive.contains { $0.rule == "GATT-007" })
}

@Test func `a sensor that hangs up behind its result is accused only where the result did not arrive`() throws {
  let steps: [Step] = [
    .firstArrival, .report(.all), .accept, .records(1...6), .unheard(from: .sensor, .result(.report, .success)),
    .disconnect(.sensor, reason: 0x13),
  ]
  #expect(try judge(steps, .collector).findings.map(\.rule) == ["CONN-002"])
  let sensor = try judge(steps, .sensor)
  #expect(sensor.findings.map(\.rule).isEmpty)
  #expect(sensor.inconclusive.contains { $0.rule == "CONN-002" })
}

@Test func `an abort that crosses the result is told alike from both ends`() throws {
  let steps: [Step] = [
    .firstArrival, .report(.all), .accept, .records(1...6),
    .crossing(fromCollector: .abort, fromSensor: .result(.report, .success)), .accept, .confirm,
    .result(.abort, .abortUnsuccessful), .confirm, .farewell,
  ]
  let found = try Party.allCases.map { try judge(steps, $0).findings }
  #expect(found[0].map(\.fingerprint) == found[1].map(\.fingerprint))
  #expect(found[0].map(\.level) == found[1].map(\.level))
}

@Test func `a confirmation and the next request are told alike from both ends`() throws {
  let steps: [Step] = [
    .firstArrival, .ask(answer: 6), .report(.all), .accept, .records(1...6),
    .crossing(fromCollector: .count(.all), fromSensor: .result(.report, .success)), .confirm, .accept, .counted(6),
    .confirm, .farewell,
  ]
  let found = try Party.allCases.map { try judge(steps, $0).findings }
  #expect(found[0].map(\.fingerprint) == found[1].map(\.fingerprint))
  #expect(found[0].map(\.level) == found[1].map(\.level))
}

@Test func `a table that changes while a request is on its way is told alike from both ends`() throws {
  let steps =
    first + [
      .bondedArrival,
      .crossing(
        fromCollector: .report(.atLeast(7)),
        fromSensor: .indicate(.handle(0x0008), [0x01, 0x00, 0xFF, 0xFF])
      ), .confirm, .accept, .result(.report, .noRecordsFound), .confirm, .farewell,
    ]
  let found = try Party.allCases.map { try judge(steps, $0).findings }
  #expect(found[0].map(\.fingerprint) == found[1].map(\.fingerprint))
  #expect(found[0].map(\.level) == found[1].map(\.level))
}

@Test func `a transfer whose result was not taken is no finished one`() throws {
  let again: [Step] = [
    .firstArrival, .report(.all), .accept, .records(1...12), .unheard(from: .sensor, .result(.report, .success)),
    .disconnect(), .later(minutes: 60), .bondedArrival, .fetch(.all, 1...12), .farewell,
  ]
  let found = try Party.allCases.map { try judge(again, $0).findings }
  #expect(found[0].map(\.rule) == ["APP-003"] && found[1].map(\.rule) == ["APP-003"])
}

@Test func `on a slow link a packet may be on its way for longer`() throws {
  func arrival(interval: UInt16, latency: UInt16) -> [Step] {
    var parameters = ConnectionParameters()
    (parameters.interval, parameters.latency, parameters.supervisionTimeout) = (interval, latency, 900)
    return [
      .advertise, .connection(parameters), .exchangeMTU(185), .pair(), .discoverGlucose, .read(.feature), .subscribe(),
    ]
  }
  let slow = arrival(interval: 800, latency: 1)
  let fast = arrival(interval: 24, latency: 0)
  let early: [Step] = [
    .report(.all), .wait(milliseconds: 1500), .record(1), .accept, .records(2...6), .result(.report, .success),
    .confirm, .farewell,
  ]
  #expect(try judge(slow + early, .collector).findings(of: "RACP-026").isEmpty)
  #expect(try judge(fast + early, .collector).findings(of: "RACP-026").count == 1)
  let unheard: [Step] = [
    .report(.all), .accept, .records(1...12), .wait(milliseconds: 5000),
    .unheard(from: .sensor, .result(.report, .success)), .wait(milliseconds: 2000), .disconnect(),
  ]
  let left = try judge(slow + unheard, .sensor)
  #expect(left.findings(of: "GATT-008").isEmpty && left.findings(of: "APP-003").count == 1)
  #expect(try judge(fast + unheard, .sensor).findings(of: "GATT-008").count == 1)
  // The parameters may change while the link is up.
  let update: [Step] = [.updateParameters(interval: 800, latency: 1, supervisionTimeout: 900)]
  #expect(try judge(fast + update + early, .collector).findings(of: "RACP-026").isEmpty)
}

@Test(arguments: Party.allCases)
func `a result that came over is the end, though the link took its confirmation along`(side: Party) throws {
  let steps: [Step] = [
    .firstArrival, .report(.all), .accept, .records(1...6), .result(.report, .success),
    .unheard(from: .collector, .confirm), .linkLoss,
  ]
  #expect(try judge(steps, side).findings.map(\.rule).isEmpty)
}

@Test func `a result that crosses the order to end the link comes too late at both ends`() throws {
  let steps: [Step] = [
    .firstArrival, .report(.all), .accept, .records(1...12),
    .unheard(from: .collector, .command([0x06, 0x04, 3, 0x40, 0x00, 0x13])), .result(.report, .success),
    .unheard(from: .collector, .confirm), .unheard(from: .collector, .event([0x05, 4, 0, 0x40, 0x00, 0x16])),
    .unheard(from: .sensor, .event([0x05, 4, 0, 0x40, 0x00, 0x13])),
  ]
  let found = try Party.allCases.map { try judge(steps, $0).findings }
  #expect(found[0].map(\.rule) == ["APP-003"] && found[0].map(\.level) == [.note])
  #expect(found[0].map(\.fingerprint) == found[1].map(\.fingerprint))
  #expect(found[0].map(\.level) == found[1].map(\.level))
}

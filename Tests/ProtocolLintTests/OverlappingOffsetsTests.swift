import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

private let changed: Meter = {
  var meter = Meter()
  meter.clockChange = Meter.ClockChange(from: 4, timeOffset: -60)
  meter.contextEvery = 0
  return meter
}()

private func record(_ number: UInt16, withOffset: Bool = false) -> Step {
  .measurement(changed.measurement(number, withOffset: withOffset))
}

@Test func `in an overlap nobody knows which report an offset that is left out belongs to`() throws {
  // The first report is at -60 min, the second begins again at 0: each leaves out what is its own last one.
  let steps: [Step] = [
    .selectMeter(changed), .firstArrival, .report(.all), .accept, record(1, withOffset: true), record(2), record(3),
    record(4, withOffset: true), .report(.all), .accept, record(1, withOffset: true), record(5), record(2), record(6),
    .result(.report, .success), .confirm, record(3), record(4, withOffset: true), record(5), record(6),
    .result(.report, .success), .confirm, .fetch(.atLeast(5), 5...6), .farewell,
  ]
  for side in Party.allCases {
    let found = try Judgement(Scenario("overlap", steps), Rendering(side: side)).findings
    #expect(found.map(\.rule) == ["RACP-001", "RACP-002"])
  }
}

@Test func `a stored record that moves is found where the reports come one by one`() throws {
  let steps: [Step] = [
    .selectMeter(changed), .firstArrival, .report(.all), .accept, record(1, withOffset: true), record(2), record(3),
    .result(.report, .success), .confirm, .report(.all), .accept,
    .measurement(
      {
        var moved = changed.measurement(1, withOffset: true)
        moved.timeOffset = -60
        return moved
      }()
    ), record(2), record(3), .result(.report, .success), .confirm, .farewell,
  ]
  #expect(try Judgement(Scenario("moved", steps)).findings.map(\.rule) == ["CLK-004"])
}

import HealthProfiles
import Scenarios

/// A test of a health app, carried out well or badly, in two captures: before and after.
struct HealthAppScene: Sendable {
  /// The page in `docs/tests`, and the heading of the section that shows what the report says.
  var page: String
  var section: String
  var before: Scenario
  var after: Scenario
  /// Rules that fire, in the order of the reports.
  var findings: [String]
  /// The exit status of `lint --fail-on warning`.
  var status: Int32

  /// Where its two captures stand among the samples.
  var folder: String {
    let words = section.lowercased().split(separator: " ").drop { $0 == "a" }
    return "health-app/\(page)/" + words.joined(separator: "-")
  }

  /// What its page tells a reader to type.
  var command: String { "cd samples/\(folder)\nracpscope lint --utc before.btsnoop after.btsnoop" }

  /// The two captures, as the collector's host writes them.
  var captures: [(name: String, octets: [UInt8])] {
    [("before.btsnoop", before.capture()), ("after.btsnoop", after.capture())]
  }

  private static let day: Int64 = 86_400_000_000

  init(
    _ page: String,
    _ section: String,
    before: [Step],
    after: [Step],
    daysBetween: Int64 = 2,
    findings: [String] = [],
    status: Int32 = 0
  ) {
    self.page = page
    self.section = section
    self.before = Scenario("before", [.adapterAppears] + before)
    self.after = Scenario("after", start: 1_772_611_200_000_000 + daysBetween * Self.day, [.adapterAppears] + after)
    self.findings = findings
    self.status = status
  }

  /// Pairing, and everything the meter has.
  private static let first: [Step] = [.firstArrival, .ask(answer: 12), .fetch(.all, 1...12), .farewell]

  /// The link breaks after 12 of 30 records.
  private static let broken: [Step] = [
    .firstArrival, .ask(answer: 30), .report(.all), .accept, .records(1...12), .wait(milliseconds: 2000), .linkLoss,
  ]

  private static let again: [Step] = [
    .pair(), .discoverGlucose, .subscribe(), .fetch(.atLeast(13), 13...15), .farewell,
  ]

  private static func refused(_ after: [Step]) -> [Step] {
    [.arrival, .encrypt(status: 0x06), .wait(milliseconds: 2000)] + after
  }

  private static var withOffset: Meter {
    var meter = Meter()
    meter.clockChange = Meter.ClockChange(from: 13, timeOffset: -180)
    return meter
  }

  private static var withMovedClock: Meter {
    var meter = Meter()
    meter.firstBaseTime -= 12 * 3_600
    return meter
  }

  private static let time = DateTime(year: 2026, month: 2, day: 22, hours: 16)

  static let all = [
    HealthAppScene(
      "phone-absent",
      "A good app",
      before: first,
      after: [.bondedArrival, .ask(answer: 20), .fetch(.atLeast(13), 13...20), .farewell]
    ),
    HealthAppScene(
      "phone-absent",
      "A bad app",
      before: first,
      after: [.bondedArrival, .ask(answer: 20), .fetch(.last, 20...20), .farewell],
      findings: ["APP-014"],
      status: 1
    ),
    HealthAppScene(
      "truncated-sync",
      "A good app",
      before: broken,
      after: [.bondedArrival, .fetch(.atLeast(13), 13...30), .farewell],
      findings: ["CONN-004"]
    ),
    HealthAppScene(
      "truncated-sync",
      "A bad app",
      before: broken,
      after: [.bondedArrival, .fetchNothing(.atLeast(31)), .farewell],
      findings: ["CONN-004", "SEQ-007"],
      status: 1
    ),
    HealthAppScene(
      "bond-loss",
      "A good app",
      before: first,
      after: refused(again),
      findings: ["SEC-004"],
      status: 1
    ),
    HealthAppScene(
      "bond-loss",
      "A bad app",
      before: first,
      after: refused([.discoverGlucose, .farewell, .later(minutes: 1)]) + refused([.farewell, .later(minutes: 1)])
        + refused([.farewell]),
      findings: ["SEC-007"],
      status: 1
    ),
    HealthAppScene(
      "clock-change",
      "A good app and a good meter",
      before: first,
      after: [.selectMeter(withOffset), .bondedArrival, .fetch(.atLeast(13), 13...15), .farewell]
    ),
    HealthAppScene(
      "clock-change",
      "A bad app",
      before: first,
      after: [
        .selectMeter(withOffset), .bondedArrival, .report(.since(time)), .accept, .record(15),
        .result(.report, .success), .confirm, .farewell,
      ],
      findings: ["CLK-012"],
      status: 1
    ),
    HealthAppScene(
      "clock-change",
      "A bad meter",
      before: first,
      after: [.selectMeter(withMovedClock), .bondedArrival, .fetch(.atLeast(13), 13...15), .farewell],
      findings: ["CLK-003"],
      status: 1
    ),
  ]
}

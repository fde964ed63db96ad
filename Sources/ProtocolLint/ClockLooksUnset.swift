import HealthProfiles
public import LinkTrace
import Scenarios

/// CLK-002: readings of the far past or of the future.
public struct ClockLooksUnset: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "CLK-002",
    name: "clock-looks-unset",
    summary: "records have user-facing times before 2010, on a day on which unset clocks begin, or after the capture",
    rationale: """
      A meter whose clock was never set, or set wrongly, dates all that follows wrongly; a diary sorts such readings \
      to its ends, where nobody looks. A clock that has lost its time often begins on the first of January of 2010, 2015 \
      or 2020. Such a date can be right, so it is told of only where the capture is more than a year younger and no \
      record of the month before leads up to it.
      """,
    remedy: """
      Set the meter's clock, by Current Time where it has it; a collector warns of readings from the future.
      """,
    clause: "good practice: a clock near to that of the collector",
    needs: [.bothDirections, .noLoss, .whole, .identity],
    explains: ["CLK-009"]
  )

  /// 2015-01-01 in seconds since 1970.
  private static let exampleDay: Int64 = 1_420_070_400

  private static func meter(_ firstBaseTime: Int64) -> Meter {
    var meter = Meter()
    meter.firstBaseTime = firstBaseTime
    return meter
  }

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "a clock that starts in the year 2000",
        "starts-in-2000",
        [
          .selectMeter(Self.meter(946_684_800)), .firstArrival, .report(.all), .accept, .marked(.record(1)),
          .records(2...6), .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .note,
        "a clock that starts in the year 2015",
        "starts-in-2015",
        [
          .selectMeter(Self.meter(Self.exampleDay)), .firstArrival, .report(.all), .accept, .marked(.record(1)),
          .records(2...6), .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .note,
        "a clock that runs a year ahead",
        "a-year-ahead",
        [
          .selectMeter(Self.meter(1_804_000_000)), .firstArrival, .report(.all), .accept, .marked(.record(1)),
          .records(2...3), .result(.report, .success), .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "a clock that is right",
        "clock-is-right",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      ),
      RuleExample(
        "readings from before and after new year of 2015",
        "over-new-year",
        [.selectMeter(Self.meter(Self.exampleDay - 86_400)), .firstArrival, .fetch(.all, 1...12), .farewell]
      ),
    ]
  }

  /// Times of the capture between which its clock can be trusted: 2015 and 2099, microseconds since 1970.
  private static let trusted: Range<Int64> = 1_420_070_400_000_000..<4_102_444_800_000_000
  /// 2010-01-01 in seconds since 1970, and a day: a time zone cannot explain more.
  private static let oldest: Int64 = 1_262_304_000
  private static let day: Int64 = 86_400
  /// A record so shortly before a day shows that the clock ran into it; a capture so long after it that it did not.
  private static let month: Int64 = 31 * day
  private static let year: Int64 = 366 * day

  /// A day on which clocks begin that have lost their time, and what lies on it.
  private struct DefaultDay {
    var name: String
    /// Seconds since 1970.
    var start: Int64
    var first: DeviceRecord?
    var places: [(link: Int, frame: UInt32)] = []
    /// True where a record of the month before leads up to it.
    var isReached = false

    static var all: [DefaultDay] {
      [
        DefaultDay(name: "2010-01-01", start: 1_262_304_000), DefaultDay(name: "2015-01-01", start: 1_420_070_400),
        DefaultDay(name: "2020-01-01", start: 1_577_836_800),
      ]
    }
  }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    guard !device.records.isEmpty else { return .notApplicable }
    guard device.links.allSatisfy({ Self.trusted.contains($0.firstTime) }) else {
      return .inconclusive("the clock of the capture cannot be trusted")
    }
    var first: DeviceRecord?
    var odd: [(link: Int, frame: UInt32)] = []
    var past = 0
    var future = 0
    var judged = 0
    var days = DefaultDay.all
    device.records.visit { record in
      guard let time = (record.userFacingTime ?? record.baseTime).secondsSince1970 else { return }
      judged += 1
      let end = device.links[Int(record.link)].endTime / 1_000_000
      if Self.isNearDefaultDay(time) { Self.note(record, time, end, &days) }
      let isFuture = time > end + Self.day
      guard isFuture || time < Self.oldest else { return }
      if isFuture { future += 1 } else { past += 1 }
      odd.append((Int(record.link), record.frame))
      first = Self.earlier(first, record)
    }
    days.removeAll { $0.isReached || $0.places.isEmpty }
    for day in days {
      odd += day.places
      if let record = day.first { first = Self.earlier(first, record) }
    }
    guard let first else { return judged > 0 ? .pass : .notApplicable }
    return .fail([finding(first, odd, past: past, future: future, days, device)])
  }

  /// True on a default day and in the month before: nearly no record lies there.
  @inline(__always)
  private static func isNearDefaultDay(_ time: Int64) -> Bool {
    isNear(1_262_304_000, time) || isNear(1_420_070_400, time) || isNear(1_577_836_800, time)
  }

  @inline(__always)
  private static func isNear(_ start: Int64, _ time: Int64) -> Bool {
    UInt64(bitPattern: time &- start &+ month) < UInt64(month + day)
  }

  /// Takes a record that lies on a default day, or shortly before one.
  private static func note(_ record: DeviceRecord, _ time: Int64, _ end: Int64, _ days: inout [DefaultDay]) {
    for index in days.indices {
      let since = time - days[index].start
      if (-month..<0).contains(since) { days[index].isReached = true }
      guard (0..<day).contains(since), end > days[index].start + year else { continue }
      days[index].first = earlier(days[index].first, record)
      days[index].places.append((Int(record.link), record.frame))
    }
  }

  private static func earlier(_ known: DeviceRecord?, _ record: DeviceRecord) -> DeviceRecord {
    guard let known, (known.link, known.frame) <= (record.link, record.frame) else { return record }
    return known
  }

  private func finding(
    _ first: DeviceRecord,
    _ odd: [(link: Int, frame: UInt32)],
    past: Int,
    future: Int,
    _ days: [DefaultDay],
    _ device: borrowing DeviceHistory
  ) -> Finding {
    let writes = device.links.reduce(0) { $0 + $1.timeWrites.count }
    let all = countText(device.records.count, "record")
    var parts: [String] = []
    if future > 0 { parts.append("\(future) of \(all) \(Self.lie(future)) after the capture") }
    if past > 0 { parts.append("\(past) of \(all) \(Self.lie(past)) before 2010") }
    for day in days { parts.append("\(day.places.count) of \(all) \(Self.lie(day.places.count)) on \(day.name)") }
    return device.finding(
      "CLK-002",
      .note,
      .undetermined,
      .possible,
      link: Int(first.link),
      frames: [first.frame],
      further: odd,
      key: "clock",
      message: "records of an odd time: " + parts.joined(separator: ", ")
        + "; the first is number \(first.sequence) of \(first.userFacingTime ?? first.baseTime)",
      evidence: [
        writes == 0
          ? "no write of the device's clock is in the capture"
          : "the device's clock was written \(timesText(writes)) in the capture",
        past == 0 && future == 0
          ? "the meter's clock may have begun anew on that day; the date can also be right"
          : "the meter's clock or that of the captured host is wrong",
      ]
    )
  }

  private static func lie(_ count: Int) -> String { count == 1 ? "lies" : "lie" }
}

import HealthProfiles
public import LinkTrace
import Scenarios

/// CLK-002: readings of the far past or of the future.
public struct ClockLooksUnset: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "CLK-002",
    name: "clock-looks-unset",
    summary: "records have user-facing times before 2010 or after the time of the capture",
    rationale: """
      A meter whose clock was never set, or set wrongly, dates all that follows wrongly; a diary sorts such readings \
      to its ends, where nobody looks.
      """,
    remedy: """
      Set the meter's clock, by Current Time where it has it; a collector warns of readings from the future.
      """,
    clause: "good practice: a clock near to that of the collector",
    needs: [.bothDirections, .noLoss, .whole, .identity],
    explains: ["CLK-009"]
  )

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
      )
    ]
  }

  /// Times of the capture between which its clock can be trusted: 2015 and 2099, microseconds since 1970.
  private static let trusted: Range<Int64> = 1_420_070_400_000_000..<4_102_444_800_000_000
  /// 2010-01-01 in seconds since 1970, and a day: a time zone cannot explain more.
  private static let oldest: Int64 = 1_262_304_000
  private static let day: Int64 = 86_400

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    guard !device.records.isEmpty else { return .notApplicable }
    guard device.links.allSatisfy({ Self.trusted.contains($0.firstTime) }) else {
      return .inconclusive("the clock of the capture cannot be trusted")
    }
    var first: (record: DeviceRecord, isFuture: Bool)?
    var odd: [(link: Int, frame: UInt32)] = []
    var past = 0
    var future = 0
    var judged = 0
    device.records.visit { record in
      guard let time = (record.userFacingTime ?? record.baseTime).secondsSince1970 else { return }
      judged += 1
      let isFuture = time > device.links[Int(record.link)].endTime / 1_000_000 + Self.day
      guard isFuture || time < Self.oldest else { return }
      if isFuture { future += 1 } else { past += 1 }
      odd.append((Int(record.link), record.frame))
      if first.map({ (record.link, record.frame) < ($0.record.link, $0.record.frame) }) ?? true {
        first = (record, isFuture)
      }
    }
    guard let first else { return judged > 0 ? .pass : .notApplicable }
    let link = Int(first.record.link)
    let writes = device.links.reduce(0) { $0 + $1.timeWrites.count }
    var parts: [String] = []
    if future > 0 { parts.append("\(future) of \(countText(device.records.count, "record")) lie after the capture") }
    if past > 0 { parts.append("\(past) of \(countText(device.records.count, "record")) lie before 2010") }
    return .fail([
      device.finding(
        "CLK-002",
        .note,
        .undetermined,
        .possible,
        link: link,
        frames: [first.record.frame],
        further: odd,
        key: "clock",
        message: "records of an odd time: " + parts.joined(separator: ", ")
          + "; the first is number \(first.record.sequence) of "
          + "\(first.record.userFacingTime ?? first.record.baseTime)",
        evidence: [
          writes == 0
            ? "no write of the device's clock is in the capture"
            : "the device's clock was written \(timesText(writes)) in the capture",
          "the meter's clock or that of the captured host is wrong",
        ]
      )
    ])
  }
}

import HealthProfiles
public import LinkTrace
import Scenarios

/// SEQ-013: the sensor has given out its last sequence number, or goes on with 0.
public struct NumbersUsedUp: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "SEQ-013",
    name: "numbers-used-up",
    summary: "the last sequence number has been given out, or the numbers begin anew after it",
    rationale: """
      Sequence numbers are never used again and must not roll over. After 65535 a meter cannot number a measurement \
      that a collector can tell from an old one.
      """,
    remedy: """
      Let the meter stop storing, or be serviced, at 65535; a collector reports the end of the meter's life.
      """,
    clause: "GLS 3.1.1.2 (S9)",
    needs: [.bothDirections, .whole, .identity],
    explains: ["SEQ-009", "SEQ-002"]
  )

  private static var full: Meter {
    var meter = Meter()
    meter.firstSequenceNumber = 65_534
    return meter
  }

  private static var renewed: Meter {
    var meter = Meter()
    meter.firstSequenceNumber = 0
    meter.firstBaseTime += 86_400 * 10
    return meter
  }

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "number 65535 comes",
        "last-number",
        [
          .selectMeter(Self.full), .firstArrival, .report(.all), .accept, .record(65_534), .marked(.record(65_535)),
          .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "number 0 follows number 65535",
        "rolled-over",
        [
          .selectMeter(Self.full), .firstArrival, .report(.all), .accept, .records(65_534...65_535),
          .result(.report, .success), .confirm, .farewell, .later(minutes: 60), .selectMeter(Self.renewed),
          .bondedArrival, .report(.last), .accept, .marked(.record(0, withContext: false)), .result(.report, .success),
          .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "numbers are left",
        "numbers-left",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    guard !device.records.isEmpty else { return .notApplicable }
    let roll = device.records.restarts.first { change in
      change.old.sequence == 65_535 && change.new.sequence == 0
        && subject.isOneBond(change.old.link, change.new.link)
    }
    if let roll {
      return .fail([
        device.finding(
          "SEQ-013",
          .error,
          .sensor,
          .certain,
          link: Int(roll.new.link),
          frames: [roll.new.frame],
          others: [(Int(roll.old.link), roll.old.frame)],
          key: "65535",
          message:
            "number 0 of \(roll.new.baseTime) follows number 65535 of \(roll.old.baseTime): the numbers rolled over",
          evidence: [
            "number 65535 came in " + device.frameText(roll.old.frame, of: Int(roll.old.link), from: Int(roll.new.link))
          ]
        )
      ])
    }
    guard let last = device.records[65_535] else { return .pass }
    return .fail([
      device.finding(
        "SEQ-013",
        .note,
        .sensor,
        .certain,
        link: Int(last.link),
        frames: [last.frame],
        key: "65535",
        message: "number 65535 has been given out: there is none for the next measurement",
        evidence: ["\(countText(device.records.count, "record")) of the device came in all"]
      )
    ])
  }
}

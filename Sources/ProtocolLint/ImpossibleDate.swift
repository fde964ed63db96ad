import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// CLK-001: a Base Time is no date.
public struct ImpossibleDate: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "CLK-001",
    name: "impossible-date",
    summary: "the sensor sends a Base Time that is no date and time of day",
    rationale: """
      An app cannot place such a reading: it drops it, or shows it at a date that its date library makes up.
      """,
    remedy: """
      Sensor: send year, month and day always, never 0 for unknown; start from a default date where the clock was \
      never set. Send year as 16 bits, least significant octet first.
      """,
    clause: "GLS 3.1.1.3 (S10)",
    needs: [.bothDirections, .noLoss, .whole]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "month 0 in number 1",
        "month-zero",
        [
          .firstArrival, .report(.all), .accept,
          .marked(.changedRecord(1, withOffset: true) { $0.baseTime.month = 0 }), .records(2...3),
          .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "29 February 2025 in number 1",
        "february-29",
        [
          .firstArrival, .report(.all), .accept,
          .marked(.changedRecord(1, withOffset: true) { $0.baseTime = DateTime(year: 2025, month: 2, day: 29) }),
          .records(2...3), .result(.report, .success), .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "29 February of a leap year",
        "leap-day",
        [
          .firstArrival, .report(.all), .accept,
          .changedRecord(1, withOffset: true) { $0.baseTime = DateTime(year: 2024, month: 2, day: 29) },
          .records(2...3), .result(.report, .success), .confirm, .farewell,
        ]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard subject.records.measurements > 0 else { return .notApplicable }
    let impossible = subject.records[.impossibleDate]
    let beyond = subject.records[.dayBeyondMonth]
    guard let first = impossible.places.first ?? beyond.places.first else { return .pass }
    let value = history.value(history.pdus[Int(first)])
    let shown = value.byteCount >= 10 ? "\(DateTime(value, at: 3))" : ""
    return .fail([
      .ofRecords(
        "CLK-001",
        impossible.count > 0 ? .error : .warning,
        .certain,
        impossible.count > 0 ? impossible : beyond,
        key: "base time",
        message: "sent \(countText(impossible.count + beyond.count, "measurement")) with a Base Time that is no date, "
          + "such as \(shown)",
        evidence: ["legal are the years 1582 to 9999, months 1 to 12, and the days of the month"],
        history
      )
    ])
  }
}

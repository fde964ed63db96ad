import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// VAL-003: a record ends before the fields that its flags announce.
public struct ShortRecord: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "VAL-003",
    name: "short-record",
    summary: "the sensor sends a measurement or context that is shorter than its flags announce",
    rationale: """
      An app reads the fields by the flags: it fails on such a record, or takes one field for another.
      """,
    remedy: """
      Sensor: set a flag only where its field is in the value; check that the value fits into one notification.
      """,
    clause: "GLS 3.1.1, GLS 3.2 (S7, S16)",
    needs: [.bothDirections, .noLoss, .whole]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "number 3 lacks its last octet",
        "one-octet-less",
        [
          .firstArrival, .report(.all), .accept, .records(1...2),
          .marked(.notify(.measurement, Meter().measurement(3, withOffset: false).octets.dropLast())), .records(5...6),
          .result(.report, .success), .confirm, .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "each record has the length of its flags",
        "whole-records",
        [.firstArrival, .fetch(.all, 1...9), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    LengthDefects.check(
      history,
      subject,
      "VAL-003",
      .error,
      measurements: .shortMeasurement,
      contexts: .shortContext,
      message: "shorter than the flags announce"
    )
  }
}

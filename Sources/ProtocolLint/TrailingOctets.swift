import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// VAL-007: a record goes on behind the fields that its flags announce.
public struct TrailingOctets: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "VAL-007",
    name: "trailing-octets",
    summary: "the sensor sends a measurement or context that is longer than its flags announce",
    rationale: """
      A later version of the service may add fields, so a collector must read what it knows and ignore the rest. An app \
      that insists on the length loses such records.
      """,
    remedy: """
      Collector: decode the fields that the flags announce and ignore octets behind them.
      """,
    clause: "GLP 4.4, GLP 4.5, GLP 4.6 (C6)",
    needs: [.bothDirections, .noLoss, .whole]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "two octets behind number 3",
        "two-octets-more",
        [
          .firstArrival, .report(.all), .accept, .records(1...2),
          .marked(.changedRecord(3) { $0.trailing = [0x00, 0x01] }), .records(5...6), .result(.report, .success),
          .confirm, .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "each record has the length of its flags",
        "exact-records",
        [.firstArrival, .fetch(.all, 1...9), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    LengthDefects.check(
      history,
      subject,
      "VAL-007",
      .note,
      measurements: .trailingMeasurement,
      contexts: .trailingContext,
      message: "longer than the flags announce"
    )
  }
}

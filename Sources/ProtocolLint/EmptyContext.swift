import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// VAL-009: a context says nothing.
public struct EmptyContext: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "VAL-009",
    name: "empty-context",
    summary: "the sensor sends a context without any of its optional fields",
    rationale: """
      Such a context costs a packet and tells nothing; apps that rely on at least one field fail on it.
      """,
    remedy: """
      Sensor: leave flag bit 4 of the measurement clear, and send no context, where nothing was entered.
      """,
    clause: "GLS 3.2 (S16)",
    needs: [.bothDirections, .noLoss, .whole]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "the context of number 4 has no field",
        "no-field",
        [
          .firstArrival, .report(.all), .accept, .records(1...3),
          .measurement(Meter().measurement(4, withOffset: false)),
          .marked(.context(GlucoseMeasurementContext(sequenceNumber: 4))), .records(5...6), .result(.report, .success),
          .confirm, .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "contexts with a meal",
        "with-a-meal",
        [.firstArrival, .fetch(.all, 1...9), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard subject.records.contexts > 0 else { return .notApplicable }
    let odd = subject.records[.emptyContext]
    guard odd.count > 0 else { return .pass }
    return .fail([
      .ofRecords(
        "VAL-009",
        .error,
        .certain,
        odd,
        key: "context",
        message: "sent \(countText(odd.count, "context")) of \(subject.records.contexts) without any field",
        evidence: ["flags and sequence number only"],
        history
      )
    ])
  }
}

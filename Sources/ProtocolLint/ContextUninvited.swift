import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// SEQ-012: a context follows a measurement that announces none.
public struct ContextUninvited: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "SEQ-012",
    name: "context-uninvited",
    summary: "the sensor sends a context behind a measurement whose flags announce none",
    rationale: """
      An app that stores a reading as soon as its flags say that nothing follows never joins the context to it.
      """,
    remedy: """
      Sensor: set flag bit 4 of the measurement wherever a context follows.
      """,
    clause: "GLS 3.1.1.1 (S8)",
    needs: [.bothDirections, .noLoss],
    hole: """
      Where a record comes twice and the logger missed the first one, its context looks uninvited.
      """
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "the context of number 3 was not announced",
        "not-announced",
        [
          .firstArrival, .report(.all), .accept, .records(1...3), .marked(.context(Meter().context(3))),
          .records(4...6), .result(.report, .success), .confirm, .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "contexts come where they are announced",
        "announced",
        [.firstArrival, .fetch(.all, 1...9), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    MisplacedContexts.check(
      history,
      subject,
      "SEQ-012",
      subject.records[.uninvitedContext],
      message: "that the measurement did not announce",
      evidence: "flag bit 4 of the measurement before it is clear"
    )
  }
}

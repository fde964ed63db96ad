import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// SEQ-010: a context belongs to another measurement than the one before it.
public struct ContextOrphan: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "SEQ-010",
    name: "context-orphan",
    summary: "the sensor sends a context whose number is not that of the measurement directly before it",
    rationale: """
      The two belong together by their number and their order. An app that goes by the order puts a meal to the wrong \
      reading; one that goes by the number drops the context.
      """,
    remedy: """
      Sensor: send each context directly behind its measurement, with the same sequence number.
      """,
    clause: "GLS 3.4.1, GLS 3.4.3.4 (S8, S22)",
    needs: [.bothDirections, .noLoss],
    hole: """
      Where the measurement of a context's number did not come at all, the logger may have missed it: a finding about \
      one such context is a warning, and only likely.
      """,
    explains: ["SEQ-011"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "the context of number 4 has number 3",
        "other-number",
        [
          .firstArrival, .report(.all), .accept, .records(1...3),
          .measurement(Meter().measurement(4, withOffset: false)),
          .marked(.context(Meter().context(3))), .records(5...6), .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "all contexts come behind all measurements",
        "contexts-last",
        [
          .firstArrival, .report(.all), .accept, .records(1...3),
          .measurement(Meter().measurement(4, withOffset: false)), .records(5...7),
          .measurement(Meter().measurement(8, withOffset: false)), .records(9...10),
          .marked(.context(Meter().context(4))), .context(Meter().context(8)), .result(.report, .success), .confirm,
          .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "each context behind its measurement",
        "own-number",
        [.firstArrival, .fetch(.all, 1...9), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    MisplacedContexts.check(
      history,
      subject,
      "SEQ-010",
      subject.records[.orphanContext],
      message: "not of the measurement before",
      evidence: "a context stands directly behind its measurement and has its number"
    )
  }
}

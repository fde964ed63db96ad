import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-022: the result comes long after the last record.
public struct LateResult: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-022",
    name: "late-result",
    summary: "the sensor indicates the result of a report more than two seconds after its last record",
    rationale: """
      The profile allows it: the collector waits for up to 30 s. An app that leaves earlier takes the report for \
      broken, or, worse, for complete.
      """,
    remedy: """
      Sensor: indicate the result right after the last record. Collector: wait for it.
      """,
    clause: "GLP 4.7.5 (C12)",
    needs: [.bothDirections, .noLoss, .steadyClock]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "success comes five seconds after the last record",
        "success-after-five-seconds",
        [
          .firstArrival, .report(.all), .accept, .records(1...6), .wait(milliseconds: 5000),
          .marked(.result(.report, .success)), .confirm, .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "success comes behind the last record",
        "success-at-once",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    Pauses.check(
      history,
      subject,
      "RACP-022",
      evidence: "a report has failed after 30 s without a sign of life; an earlier result is legal"
    ) { procedure, history in
      guard let pause = procedure.gaps.beforeResult, pause > Pauses.limit, let result = procedure.result,
        !subject.isHeldUp(procedure, history)
      else { return nil }
      return Pauses.Pause(length: pause, place: result)
    } message: {
      "sent the result \($0) after the last record"
    }
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-021: a pause between two records of a report.
public struct PauseInTransfer: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-021",
    name: "pause-in-transfer",
    summary: "the sensor pauses for more than two seconds between two records of a report",
    rationale: """
      The profile allows it: only 30 s without a record end a report. An app that takes silence for the end loses the \
      rest with this sensor.
      """,
    remedy: """
      Sensor: read records ahead while others are sent. Collector: wait for the result or for 30 s.
      """,
    clause: "GLP 4.7.5 (C12)",
    needs: [.bothDirections, .noLoss, .steadyClock]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "five seconds between the third and the fourth record",
        "five-seconds",
        [
          .firstArrival, .report(.all), .accept, .records(1...3), .wait(milliseconds: 5000),
          .marked(.record(5)), .records(6...7), .result(.report, .success), .confirm, .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "records every 300 ms",
        "every-300-ms",
        [
          .firstArrival, .pace(microseconds: 300_000), .fetch(.all, 1...6), .pace(microseconds: 15_000), .farewell,
        ]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    Pauses.check(
      history,
      subject,
      "RACP-021",
      evidence: "a report has failed after 30 s without a record; shorter pauses are legal"
    ) { procedure, history in
      guard procedure.gaps.longest > Pauses.limit, let place = history.place(ofFrame: procedure.gaps.longestFrame)
      else { return nil }
      return Pauses.Pause(length: procedure.gaps.longest, place: place)
    } message: {
      "paused for \($0) between two records"
    }
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// CAP-008: the capture shows one direction of a link.
public struct OneDirectionOnly: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "CAP-008",
    name: "one-direction-only",
    summary: "the capture shows the attribute packets of one direction only",
    rationale: """
      Without the other direction nothing tells a request from its answer: who was late, who was refused, what is \
      missing cannot be judged.
      """,
    remedy: """
      Record both directions: no direction filter in the logger, no capture filter, both ACL channels.
      """,
    clause: "good practice: a log of both directions",
    needs: []
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "records without a single packet of the collector",
        "records-only",
        [
          .bondedArrival, .marked(.record(1, withContext: false)), .record(2, withContext: false),
          .record(3, withContext: false), .record(5, withContext: false), .record(6, withContext: false),
          .record(7, withContext: false), .result(.report, .success),
          .disconnect(),
        ]
      ).alongside("CAP-004")
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "both directions",
        "both",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  /// Fewer packets tell nothing.
  private static let least: UInt32 = 5

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    let (sent, received) = (history.counts.sentPDUs, history.counts.receivedPDUs)
    // While the link is up the other direction may still come.
    guard subject.isHealth, sent &+ received >= Self.least, history.end.cause != .open else { return .notApplicable }
    if sent > 0 && received > 0 { return .pass }
    return .fail([
      Finding(
        "CAP-008",
        .warning,
        .capture,
        .certain,
        link: history.number,
        frames: [history.pdus.first?.frame ?? history.firstFrame],
        omitted: Int(sent &+ received) - 1,
        time: history.pdus.first?.time ?? history.firstTime,
        key: "one direction",
        message:
          "all \(sent &+ received) attribute packets were \(sent > 0 ? "sent" : "received") by the recorded host",
        evidence: ["sent \(sent), received \(received)"]
      )
    ])
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// CONN-001: a link ends before it began.
public struct LinkNotEstablished: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "CONN-001",
    name: "link-not-established",
    summary: "the controller reports a link, and then that it was never established",
    rationale: """
      The other side did not answer the first packets: it is too far away, busy, or took another connection. Hosts \
      try again by themselves, and an app that counts it as a failed transfer alarms its user for nothing.
      """,
    remedy: """
      Collector: connect again. Where it happens often, look at the distance, at the sensor's advertising interval \
      and at other links of the controller.
      """,
    clause: "Core Vol 1 Part F, error code 0x3E",
    needs: [.end]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "the first packets get no answer",
        "no-answer",
        [.arrival, .wait(milliseconds: 150), .marked(.neverEstablished)]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the link comes up",
        "comes-up",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard subject.mayBeHealth(history) else { return .notApplicable }
    guard history.end.cause == .disconnected, history.end.reason.rawValue == 0x3E else {
      return history.pdus.isEmpty ? .pass : .passWithout([.end])
    }
    let start = history.start
    return .fail([
      Finding(
        "CONN-001",
        .note,
        .undetermined,
        .certain,
        link: history.number,
        frames: [history.end.frame] + (start.map { [$0.frame] } ?? []),
        time: history.end.time,
        key: "0x3E",
        message: "the link was never established (0x3E), told "
          + "\(durationText(history.end.time - (start?.time ?? history.firstTime))) after it was reported",
        evidence: [start.map { "reported in frame \($0.frame)" } ?? "its beginning is not in the capture"]
      )
    ])
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// CAP-001: the capture begins while the link is up.
public struct CaptureBeginsLate: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "CAP-001",
    name: "capture-begins-late",
    summary: "the link was up before the capture began",
    rationale: """
      What was discovered, subscribed and encrypted before is not in the file. Rules that rest on it say that they \
      could not judge; they accuse nobody.
      """,
    remedy: """
      Start the logger before the devices connect: switch the log on, then Bluetooth off and on, then connect.
      """,
    clause: "good practice: a log from before the connection",
    needs: []
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "the first packet is a request on a link that is up",
        "mid-link",
        [.marked(.report(.all)), .accept, .records(1...6), .result(.report, .success), .confirm, .farewell]
      ).alongside("CAP-004")
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the capture shows the link from its start",
        "whole-link",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard subject.isHealth, history.counts.sentPDUs + history.counts.receivedPDUs > 0 else { return .notApplicable }
    if history.start != nil { return .pass }
    return .fail([
      Finding(
        "CAP-001",
        .note,
        .capture,
        .certain,
        link: history.number,
        frames: [history.firstFrame],
        time: history.firstTime,
        key: "start",
        message: "the link on handle 0x\(hex(UInt64(history.handle), digits: 4)) was up before the capture began",
        evidence: ["first packet in frame \(history.firstFrame); no Connection Complete for the handle before it"]
      )
    ])
  }
}

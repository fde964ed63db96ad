import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// CAP-007: packets are missing from the capture.
public struct CaptureLostPackets: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "CAP-007",
    name: "capture-lost-packets",
    summary: "packets of the link are missing from the capture",
    rationale: """
      An answer that is not in the file may be among the packets that the logger lost. No other rule judges such a \
      link.
      """,
    remedy: """
      Record again with less else going on, to a faster disk or with a larger buffer.
      """,
    clause: "good practice: a log without loss",
    needs: []
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "a continuation comes without its start",
        "lone-continuation",
        [
          .firstArrival, .report(.all), .accept, .records(1...3),
          .marked(.acl(from: .sensor, [0x40, 0x10, 0x04, 0x00, 0xB3, 0xB0, 0x11, 0x00])), .records(4...6),
          .result(.report, .success), .confirm, .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "nothing is missing",
        "nothing-lost",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    let counts = history.counts
    guard counts.sentPDUs + counts.receivedPDUs > 0 else { return .notApplicable }
    let isShort = history.start != nil && counts.completedFragments > counts.sentFragments
    guard counts.lostPackets > 0 || counts.brokenFragments > 0 || isShort else { return .pass }
    let event = history.events.first { $0.kind == .packetsLost || $0.kind == .reassemblyBroken }
    var parts: [String] = []
    if counts.lostPackets > 0 { parts.append("the logger dropped \(counts.lostPackets)") }
    if counts.brokenFragments > 0 { parts.append("\(countText(Int(counts.brokenFragments), "fragment")) fit nothing") }
    if isShort {
      parts.append("the controller completed \(counts.completedFragments) of \(counts.sentFragments) packets sent")
    }
    return .fail([
      Finding(
        "CAP-007",
        .warning,
        .capture,
        .certain,
        link: history.number,
        frames: [event?.frame ?? history.lastFrame],
        frameCount: max(1, Int(counts.lostPackets + counts.brokenFragments)),
        time: event?.time ?? history.lastTime,
        key: "lost",
        message: "packets are missing: " + parts.joined(separator: ", "),
        evidence: [event.map { "noticed first in frame \($0.frame)" } ?? "counted over the whole link"]
      )
    ])
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// CAP-003: the logger cut the packets.
public struct CaptureClipped: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "CAP-003",
    name: "capture-clipped",
    summary: "the logger kept only the beginning of packets, so that values are missing",
    rationale: """
      Phones cut packets to keep health values out of their logs. What is left tells the order and the timing, not \
      the records: values cannot be judged.
      """,
    remedy: """
      Android: choose the full Bluetooth HCI snoop log in the developer options, switch Bluetooth off and on, and \
      record again. Wireshark: remove the snapshot length.
      """,
    clause: "good practice: a log of whole packets",
    needs: [],
    explains: ["VAL-003"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "a record is cut behind its number",
        "record-cut",
        [
          .firstArrival, .report(.all), .accept, .record(1),
          .marked(.acl(from: .sensor, [0x40, 0x20, 0x14, 0x00, 0x10, 0x00, 0x04, 0x00, 0x1B, 0x1B, 0x00, 0x02, 0x02])),
          .records(3...6), .result(.report, .success), .confirm, .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "whole packets",
        "whole-packets",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    let counts = history.counts
    // A packet without its channel is not known for an attribute packet, and counted as one that is emptied alone.
    let total = max(counts.sentPDUs &+ counts.receivedPDUs, counts.clippedPDUs &+ counts.emptiedPDUs)
    guard total > 0 else { return .notApplicable }
    let cut = history.counts.clippedPDUs + history.counts.emptiedPDUs
    if cut == 0 { return .pass }
    let first = history.pdus.first { $0.isClipped }
    let kept = history.counts.clippedTo
    let emptied = history.counts.emptiedPDUs
    return .fail([
      Finding(
        "CAP-003",
        .warning,
        .capture,
        .certain,
        link: history.number,
        frames: [first?.frame ?? history.firstFrame],
        omitted: Int(cut) - 1,
        time: first?.time ?? history.firstTime,
        key: "clipped",
        message: "the logger cut \(cut) of \(countText(Int(total), "attribute packet"))"
          + (kept > 0 ? ", \(cut == 1 ? "" : "the shortest ")to \(countText(Int(kept), "octet"))" : ""),
        evidence: [reason(kept)]
          + (emptied > 0 ? ["no attribute octet is left of \(emptied) of them"] : [])
      )
    ])
  }

  private func reason(_ kept: UInt16) -> String {
    switch kept {
    case 13, 14: "as Android's headers-only log or the ring buffer of a bug report does"
    case 1...9: "as Android's filtered log does with channels it does not show"
    default: "as a snapshot length does"
    }
  }
}

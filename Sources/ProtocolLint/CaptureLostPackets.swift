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
      link. Not every logger counts what it loses: answers without their questions and packets that the controller \
      has sent and the file does not have tell as well. A single record, or a question together with its answer, can \
      be missing without a trace: rules that rest on a packet that is not there say so.
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
      ),
      RuleExample(
        .warning,
        "a Read Response comes and its request is not there, although no counter tells of a loss",
        "lone-answer",
        [
          .firstArrival, .marked(.attribute(from: .sensor, [0x0B, 0x41])), .fetch(.all, 1...6), .farewell,
        ]
      ),
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
    let isShort = history.start != nil && counts.isShortOfSentPackets
    let orphans = history.start != nil ? counts.orphanAnswers : 0
    let passed = history.neverAcceptsVisibly ? 0 : counts.passedRequests
    let skipped = history.start != nil ? counts.skippedAnswers + passed : 0
    guard counts.lostPackets > 0 || counts.brokenFragments > 0 || isShort || orphans > 0 || skipped > 0 else {
      return .pass
    }
    let events = history.events.filter { $0.kind == .packetsLost || $0.kind == .reassemblyBroken }
    var places = events.map { (frame: $0.frame, time: $0.time) }
    if orphans > 0 {
      let time = history.pdus.first { $0.frame >= counts.firstOrphan }?.time ?? history.lastTime
      places.append((counts.firstOrphan, time))
    }
    let first = places.min { $0.frame < $1.frame }
    var parts: [String] = []
    if counts.lostPackets > 0 { parts.append("the logger dropped \(counts.lostPackets)") }
    if counts.brokenFragments > 0 { parts.append("\(countText(Int(counts.brokenFragments), "fragment")) fit nothing") }
    if isShort {
      parts.append("the controller completed \(counts.completedFragments) of \(counts.sentFragments) packets sent")
    }
    if skipped > 0 { parts.append("\(countText(Int(skipped), "request")) without an answer before the next one's") }
    if orphans > 0 { parts.append("\(countText(Int(orphans), "answer")) to no question that is there") }
    // A collector that confirms what is no indication leaves the same trace as a missing indication.
    let isCertain = subject.facts.isDisjoint(with: .noLoss)
    return .fail([
      Finding(
        "CAP-007",
        .warning,
        .capture,
        isCertain ? .certain : .possible,
        link: history.number,
        frames: [first?.frame ?? history.lastFrame] + places.map(\.frame),
        omitted: max(0, Int(orphans) - 1),
        time: first?.time ?? history.lastTime,
        key: "lost",
        message: (isCertain ? "packets are missing: " : "packets may be missing: ") + parts.joined(separator: ", "),
        evidence: [first.map { "noticed first in frame \($0.frame)" } ?? "counted over the whole link"]
      )
    ])
  }
}

public import CaptureFiles
import HealthProfiles
import Scenarios

/// CAP-009: the capture file is damaged.
public struct MalformedContainer: CaptureRule {
  public init() {}

  public let description = RuleDescription(
    "CAP-009",
    name: "malformed-container",
    summary: "the capture file is damaged or cut off",
    rationale: """
      What stands behind the damage is not judged, and nobody would notice: a report over half a file looks like one \
      over a whole one.
      """,
    remedy: """
      Copy the file again, in binary mode and after the logger has closed it.
      """,
    clause: "good practice: a whole file",
    needs: []
  )

  /// A damaged file cannot be written as steps: the rule's tests make it from octets.
  public var failing: [RuleExample] { [] }

  public var failingNotes: [CaptureNote] {
    [
      CaptureNote(.badLength, frame: 4, amount: 70_000), CaptureNote(.damagedArchive, frame: 0, amount: 4_096),
      CaptureNote(.otherFraming, frame: 2, amount: 1_002), CaptureNote(.emptyRecords, frame: 9),
      CaptureNote(.truncatedTail, frame: 12),
    ]
  }

  public var passing: [RuleExample] {
    [RuleExample("a whole file", "whole-file", [.firstArrival, .fetch(.all, 1...3), .farewell])]
  }

  public func check(_ capture: CaptureSubject) -> RuleOutcome {
    let damage = capture.notes(.badLength, .damagedArchive, .otherFraming, .emptyRecords)
    let cut = capture.notes(.truncatedTail)
    guard let first = damage.first ?? cut.first else { return .pass }
    let message: String
    switch first.kind {
    case .badLength:
      message = "record \(first.frame) claims an impossible length of \(first.amount): nothing behind it was read"
    case .damagedArchive: message = "the compressed data is damaged after \(first.amount) octets"
    case .otherFraming:
      message = "the packets do not fit the file's datalink: they are laid out as datalink \(first.amount) has them"
    case .emptyRecords: message = "from record \(first.frame) on only empty records follow: they were not read"
    default: message = "the file ends within record \(first.frame)"
    }
    return .fail([
      Finding(
        "CAP-009",
        // The last record of a log that was copied while it grew is incomplete by nature.
        damage.isEmpty ? .note : .error,
        .capture,
        .certain,
        link: 0,
        frames: [max(1, first.frame)] + (damage + cut).map { max(1, $0.frame) },
        time: 0,
        key: first.kind.rawValue,
        message: message,
        evidence: ["\(capture.frames) records could be read"]
      )
    ])
  }
}

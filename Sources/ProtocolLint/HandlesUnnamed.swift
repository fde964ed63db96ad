import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// CAP-004: record traffic on handles that nothing names.
public struct HandlesUnnamed: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "CAP-004",
    name: "handles-unnamed",
    summary: "record access runs on handles whose names are not in the capture, only guessed from what they carry",
    rationale: """
      A bonded collector does not discover again, so that its log has handles without names. What rests on a guess is \
      reported as a warning at most.
      """,
    remedy: """
      Record the first link with the device as well, or give its attribute table with --gatt.
      """,
    clause: "good practice: a log with the discovery",
    needs: []
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "a bonded link without discovery",
        "bonded-without-discovery",
        [
          .bondedArrival, .marked(.report(.all)), .accept, .records(1...6), .result(.report, .success), .confirm,
          .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the link shows the discovery",
        "discovered",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      ),
      RuleExample(
        "an earlier link of the capture shows it",
        "remembered",
        [
          .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .bondedArrival,
          .fetchNothing(.atLeast(7)), .farewell,
        ]
      ),
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    // While the link is up its traffic may still show that a guess was wrong.
    if history.end.cause == .open { return .notApplicable }
    var guessed: [HandleTraffic] = []
    var isJudged = false
    for slot in history.handles.indices {
      let role = history.handles[slot].role
      guard role.isControlPoint || role.isRecord || role == .glucoseContext, history.handles[slot].total > 0 else {
        continue
      }
      isJudged = true
      if history.handles[slot].provenance <= .inferred { guessed.append(history.handles[slot]) }
    }
    guard isJudged else { return .notApplicable }
    guard let first = guessed.min(by: { $0.firstFrame < $1.firstFrame }) else { return .pass }
    return .fail([
      Finding(
        "CAP-004",
        .note,
        .capture,
        .certain,
        link: history.number,
        frames: [first.firstFrame] + guessed.map(\.firstFrame),
        time: history.pdus.first { $0.frame >= first.firstFrame }?.time ?? history.firstTime,
        key: "unnamed",
        message: "record access on \(countText(guessed.count, "handle")) without a name: "
          + guessed.prefix(4).map { "0x" + hex(UInt64($0.handle), digits: 4) }.joined(separator: ", "),
        evidence: guessed.prefix(4).map {
          "0x\(hex(UInt64($0.handle), digits: 4)) taken for the \(Self.name($0.role)) by its values"
        }
      )
    ])
  }

  private static func name(_ role: AttributeRole) -> String {
    switch role {
    case .glucoseMeasurement: "measurement"
    case .glucoseContext: "context"
    case .recordAccess, .insulinRecordAccess: "control point"
    default: "record characteristic"
    }
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// VAL-008: the Glucose Feature changes.
public struct FeatureChanged: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "VAL-008",
    name: "feature-changed",
    summary: "two reads of the Glucose Feature give different values",
    rationale: """
      The feature is fixed over the lifetime of a bond; collectors read it once and keep it.
      """,
    remedy: """
      Keep the value constant, or let only a firmware update change it and indicate Service Changed then.
      """,
    clause: "GLS 3.3.1 (S17)",
    needs: [.bothDirections, .noLoss, .whole, .identity]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "another value on the second link",
        "another-feature",
        [
          .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .bondedArrival,
          .marked(.read(.feature, value: [0x3F, 0x00])), .fetchNothing(.atLeast(7)), .farewell,
        ]
      ),
      RuleExample(
        .error,
        "another value at the second read of one link",
        "another-feature-on-link",
        [.firstArrival, .fetch(.all, 1...6), .marked(.read(.feature, value: [0x3F, 0x00])), .farewell]
      ),
      RuleExample(
        .error,
        "another value at the second read of the first link, and on the second one",
        "another-feature-from-then-on",
        [
          .firstArrival, .fetch(.all, 1...6), .read(.feature, value: [0x3F, 0x00]), .farewell, .later(minutes: 60),
          .bondedArrival, .marked(.read(.feature, value: [0x3F, 0x00])), .fetchNothing(.atLeast(7)), .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the same value on the second link",
        "same-feature",
        [
          .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .bondedArrival, .read(.feature),
          .fetchNothing(.atLeast(7)), .farewell,
        ]
      ),
      RuleExample(
        "the same value twice on one link",
        "same-feature-on-link",
        [.firstArrival, .fetch(.all, 1...6), .read(.feature), .farewell]
      ),
    ]
  }

  /// More handles and changes than a sensor has.
  private static let limit = 16

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard let sensor = history.sensor else { return .notApplicable }
    var wasJudged = false
    var changes: [Change] = []
    for slot in history.handles.indices {
      let traffic = history.handles[slot]
      guard traffic.role == .glucoseFeature, traffic.server == sensor, traffic.reads > 1 else { continue }
      var before: UInt32?
      for index in history.pdus.indices {
        let pdu = history.pdus[index]
        guard pdu.server == sensor else { continue }
        if Self.mayTellOfChange(UInt32(index), sensor, history) { before = nil }
        guard Int(pdu.attribute) == slot, pdu.opcode == .readResponse, pdu.valueCount >= 2, !pdu.isClipped else {
          continue
        }
        if let before {
          wasJudged = true
          let old = history.value(history.pdus[Int(before)]).u16(at: 0)
          let new = history.value(pdu).u16(at: 0)
          if new != old && changes.count < Self.limit {
            changes.append(Change(earlier: before, later: UInt32(index), old: old, new: new))
          }
        }
        before = UInt32(index)
      }
    }
    guard let first = changes.first else { return wasJudged ? .pass : .notApplicable }
    // The indication that a stray confirmation answers may have been Service Changed.
    if !subject.facts.contains(.everyIndication) { return .inconclusive(VisibilityFacts.everyIndication.reason) }
    return .fail([
      Finding(
        "VAL-008",
        .error,
        .sensor,
        .certain,
        link: history.number,
        frames: changes.map { history.frame($0.later) } + [history.frame(first.earlier)],
        time: history.time(first.later),
        key: "feature",
        message: "the Glucose Feature is 0x\(hex(UInt64(first.new), digits: 4)) and was "
          + "0x\(hex(UInt64(first.old), digits: 4)) \(durationText(history.time(first.later) - history.time(first.earlier))) "
          + "before, and no Service Changed was indicated",
        evidence: [
          "read before in frame \(history.frame(first.earlier)) of the same link",
          changes.count > 1
            ? "it changed \(timesText(changes.count)) on the link"
            : "read again in frame \(history.frame(first.later))",
        ]
      )
    ])
  }

  /// Two reads of one attribute that differ.
  private struct Change {
    var earlier: UInt32
    var later: UInt32
    var old: UInt16
    var new: UInt16
  }

  /// True for what tells, or may tell, that the table is another one: Service Changed, an indication of an attribute that
  /// nothing names, Database Out Of Sync.
  private static func mayTellOfChange(_ index: UInt32, _ sensor: Side, _ history: borrowing LinkHistory) -> Bool {
    let pdu = history.pdus[Int(index)]
    if pdu.opcode == .errorResponse { return history.errorCode(index) == .databaseOutOfSync }
    guard pdu.opcode == .indication else { return false }
    let role = history.role(pdu)
    if role.isControlPoint || role.isRecord || role == .glucoseContext { return false }
    guard let type = history.database(sensor)[pdu.handle]?.type else { return true }
    return type == BluetoothUUID(0x2A05)
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// CLK-012: the collector asks for records by user-facing time.
public struct AsksByTime: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "CLK-012",
    name: "asks-by-user-facing-time",
    summary: "the collector asks for records by user-facing time instead of by sequence number",
    rationale: """
      The user-facing time jumps: by travel, by daylight saving, by a change of the clock. Set back by three hours, \
      the next three hours of readings lie before the collector's mark and are never asked for; set forward, nothing \
      is lost, but nothing shows the difference. Few sensors support the filter at all.
      """,
    remedy: """
      Ask from the highest sequence number of the last finished report + 1; use times for display alone.
      """,
    clause: "GLP 4.7.3 (C7), GLS 3.1.1.4 (S12)",
    needs: [.bothDirections, .noLoss, .whole]
  )

  private static let since = DateTime(year: 2026, month: 2, day: 20, hours: 12)

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "records since a time",
        "records-since",
        [
          .firstArrival, .marked(.report(.since(Self.since))), .accept, .records(2...6), .result(.report, .success),
          .confirm, .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "records from a number on",
        "records-from-number",
        [.firstArrival, .fetch(.atLeast(2), 2...6), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard !history.procedures.isEmpty else { return .notApplicable }
    var wasJudged = false
    var found: [Int] = []
    for index in history.procedures.indices where history.procedures[index].dialect == .health {
      guard history.procedures[index].opCode == .report else { continue }
      wasJudged = true
      // What is malformed asks for nothing.
      guard subject.requests[index].isWellFormed else { continue }
      switch subject.requests[index].selection {
      case .since, .until, .between: found.append(index)
      default: continue
      }
    }
    guard let first = found.first else { return wasJudged ? .pass : .notApplicable }
    let procedure = history.procedures[first]
    return .fail([
      Finding(
        "CLK-012",
        .warning,
        .collector,
        .certain,
        link: history.number,
        procedure: first,
        otherProcedures: Array(found.dropFirst()),
        frames: found.map { history.frame(history.procedures[$0].request) },
        time: procedure.startTime,
        key: hex(subject.requests[first].octets),
        message: "\(subject.quoted(first)): readings taken after the user sets the clock back can be missed",
        evidence: [
          "\(countText(found.count, "request")) by user-facing time, the first in frame \(history.frame(procedure.request))",
          "sequence numbers rise whatever the clock does",
        ]
      )
    ])
  }
}

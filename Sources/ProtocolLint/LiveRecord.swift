import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-024: a reading taken while a report ran comes among its records.
public struct LiveRecord: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-024",
    name: "live-record",
    summary: "a record comes in a report that did not ask for it and is newer than all it asked for",
    rationale: """
      A sensor may send a reading that is taken while a report runs. An app must not count it among the records of \
      the report, and must not move its mark to it: the records in between have not come.
      """,
    remedy: """
      Collector: keep the record, and leave the mark for the next request at the highest number that was asked for.
      """,
    clause: "GLS 3.4.3.4 (S22)",
    needs: [.bothDirections, .noLoss, .whole],
    explains: ["RACP-009"]
  )

  /// Its record 7 is taken when the example begins.
  private static let meter: Meter = {
    var meter = Meter()
    meter.firstBaseTime = 1_772_611_200 - 6 * 21_600
    return meter
  }()

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "number 7 is taken while 2 to 5 are sent",
        "one-newer",
        [
          .selectMeter(Self.meter), .firstArrival, .report(.within(2, 5)), .accept, .records(2...4),
          .marked(.record(7)), .record(5), .result(.report, .success), .confirm, .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "nothing but what was asked for",
        "only-asked",
        [.firstArrival, .fetch(.within(2, 5), 2...5), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    var findings: [Finding] = []
    var isJudged = false
    var reason: String?
    for index in history.procedures.indices where history.procedures[index].opCode == .report {
      guard history.procedures[index].records > 0, subject.requests[index].selection != nil else { continue }
      isJudged = true
      guard UninvitedRecords.areLikely(index, history, subject) else { continue }
      if history.procedures[index].result == nil {
        reason = "the report is not over: a second such record would be another matter"
        continue
      }
      if !subject.standings[index].isClear || subject.standings[index].mayInheritRecords {
        reason = "the records may belong to another procedure"
        continue
      }
      guard let place = UninvitedRecords(index, history, subject).live else { continue }
      findings.append(
        Finding(
          "RACP-024",
          .note,
          .sensor,
          .certain,
          link: history.number,
          procedure: index,
          frames: [history.frame(place), history.frame(history.procedures[index].request)],
          time: history.time(place),
          key: hex(subject.requests[index].octets),
          message: "sent \(history.recordName(place)) in \(subject.quoted(index)): a reading taken while it ran, "
            + "which is allowed once",
          evidence: [history.octetsText(place), "it is newer than all that was asked for"]
        )
      )
    }
    guard isJudged else { return .notApplicable }
    return findings.isEmpty ? reason.map { .inconclusive($0) } ?? .pass : .fail(findings)
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-010: records come that were not asked for.
public struct FilterNotHonoured: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-010",
    name: "filter-not-honoured",
    summary: "the sensor sends records outside of the range that was asked for, or several for first or last",
    rationale: """
      An app that asks for what it lacks gets all of it again on every link, which costs time and battery, and one \
      that takes the first record of a "last record" report shows an old reading as the newest.
      """,
    remedy: """
      Sensor: compare each record with the filter before it is sent; bounds are inclusive, and sequence numbers are \
      little-endian.
      """,
    clause: "GLS 3.4.3.4 (S22)",
    needs: [.bothDirections, .noLoss, .whole]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "from number 4 on was asked for, and all records come",
        "all-for-some",
        [
          .firstArrival, .report(.atLeast(4)), .accept, .marked(.record(1)), .records(2...6),
          .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "the last record was asked for, and all records come",
        "all-for-last",
        [
          .firstArrival, .report(.last), .accept, .record(1), .marked(.record(2)), .records(3...6),
          .result(.report, .success), .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "a minimum, a range and the last record",
        "filters-honoured",
        [
          .firstArrival, .fetch(.atLeast(4), 4...6), .fetch(.within(2, 5), 2...5), .fetch(.last, 6...6), .farewell,
        ]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    var findings: [Finding] = []
    var isJudged = false
    var isDoubtful = false
    for index in history.procedures.indices where history.procedures[index].opCode == .report {
      guard history.procedures[index].records > 0, subject.requests[index].selection != nil else { continue }
      isJudged = true
      guard UninvitedRecords.areLikely(index, history, subject) else { continue }
      if !subject.standings[index].isClear || subject.standings[index].mayInheritRecords {
        isDoubtful = true
        continue
      }
      let uninvited = UninvitedRecords(index, history, subject)
      if uninvited.live == nil && uninvited.records.count > 0 {
        findings.append(finding(index, uninvited, history, subject))
      }
    }
    guard isJudged else { return .notApplicable }
    if !findings.isEmpty { return .fail(findings) }
    return isDoubtful ? .inconclusive("the records may belong to another procedure") : .pass
  }

  private func finding(
    _ index: Int,
    _ uninvited: UninvitedRecords,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let procedure = history.procedures[index]
    let first = uninvited.records.places[0]
    let isSingle = subject.requests[index].selection == .first || subject.requests[index].selection == .last
    return Finding(
      "RACP-010",
      .error,
      .sensor,
      .certain,
      link: history.number,
      procedure: index,
      frames: uninvited.records.places.map { history.frame($0) } + [history.frame(procedure.request)],
      omitted: uninvited.records.omitted,
      time: history.time(first),
      key: hex(subject.requests[index].octets),
      message: isSingle
        ? "sent \(procedure.records) records for \(subject.quoted(index)), the second \(history.recordName(first))"
        : "sent \(uninvited.records.count) of \(procedure.records) records outside of \(subject.quoted(index)), "
          + "the first \(history.recordName(first))",
      evidence: [
        "request \(hex(subject.requests[index].octets)) in frame \(history.frame(procedure.request))",
        history.octetsText(first),
      ]
    )
  }
}

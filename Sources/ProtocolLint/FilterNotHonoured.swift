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
    needs: [.bothDirections, .noLoss, .whole],
    explains: ["RACP-009", "RACP-024", "CLK-009"]
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
      RuleExample(
        .error,
        "the first record of 30 was asked for, and the second comes as well",
        "two-for-first",
        [
          .firstArrival, .ask(answer: 30), .report(.first), .accept, .record(1), .marked(.record(2)),
          .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "the last record was asked for, and another one of last month comes behind it",
        "two-for-last",
        [
          .firstArrival, .report(.last), .accept, .record(5), .marked(.record(6)), .result(.report, .success), .confirm,
          .farewell,
        ]
      ),
      RuleExample(
        .error,
        "up to number 5 was asked for, and number 6 comes, and then all up to number 12",
        "one-too-many-of-twelve",
        [
          .firstArrival, .report(.within(2, 5)), .accept, .records(2...5), .marked(.record(6)),
          .result(.report, .success), .confirm, .fetch(.atLeast(7), 7...12), .farewell,
        ]
      ),
      RuleExample(
        .error,
        "a range was counted and asked for, and all records come",
        "all-for-counted-range",
        [
          .firstArrival, .ask(.within(3, 4), answer: 2), .report(.within(3, 4)), .accept, .marked(.record(1)),
          .records(2...6), .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "up to number 5 was asked for, and number 6 comes, which had come before",
        "one-too-many",
        [
          .firstArrival, .fetch(.all, 1...12), .report(.within(2, 5)), .accept, .records(2...5), .marked(.record(6)),
          .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "up to number 5 was asked for, and number 6 comes, which had come on the link before",
        "one-too-many-again",
        [
          .firstArrival, .fetch(.all, 1...12), .farewell, .later(minutes: 60), .bondedArrival, .report(.atMost(5)),
          .accept, .records(1...5), .marked(.record(6)), .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "up to number 5 was asked for, and number 6 of last month comes",
        "one-too-many-of-old",
        [
          .firstArrival, .report(.within(2, 5)), .accept, .records(2...5), .marked(.record(6)),
          .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "the last record was asked for, and the first comes",
        "first-for-last",
        [
          .firstArrival, .fetch(.all, 1...6), .report(.last), .accept, .marked(.record(1)), .result(.report, .success),
          .confirm, .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "the first record was asked for, and the last comes",
        "last-for-first",
        [
          .firstArrival, .fetch(.all, 1...6), .report(.first), .accept, .marked(.record(6)), .result(.report, .success),
          .confirm, .farewell,
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
      ),
      RuleExample(
        "the first record after the older ones were deleted",
        "first-after-delete",
        [
          .firstArrival, .fetch(.all, 1...6), .delete(.atMost(5)), .accept, .result(.delete, .success), .confirm,
          .fetch(.first, 6...6), .fetch(.last, 6...6), .farewell,
        ]
      ),
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    var findings: [Finding] = []
    var isJudged = false
    var isDoubtful = false
    var isOpen = false
    for index in history.procedures.indices where history.procedures[index].opCode == .report {
      guard history.procedures[index].records > 0, subject.requests[index].selection != nil else { continue }
      isJudged = true
      let selection = subject.requests[index].selection
      if selection == .first || selection == .last, history.procedures[index].result == nil { isOpen = true }
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
    for index in history.procedures.indices {
      if let finding = wrongEnd(index, history, subject) { findings.append(finding) }
    }
    guard isJudged else { return .notApplicable }
    if !findings.isEmpty { return .fail(findings) }
    if isDoubtful { return .inconclusive("the records may belong to another procedure") }
    return isOpen ? .inconclusive("the report is not over") : .pass
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
      uninvited.next == nil ? .error : .warning,
      .sensor,
      uninvited.next == nil && uninvited.dated == nil ? .certain : .likely,
      link: history.number,
      procedure: index,
      frames: uninvited.records.places.map { history.frame($0) } + [history.frame(procedure.request)],
      omitted: uninvited.records.omitted,
      time: history.time(first),
      key: hex(subject.requests[index].octets),
      message: isSingle
        ? "sent \(countText(Int(procedure.records), "record")) for \(subject.quoted(index)), the second \(history.recordName(first))"
        : "sent \(uninvited.records.count) of \(countText(Int(procedure.records), "record")) outside of \(subject.quoted(index)), "
          + "the first \(history.recordName(first))",
      evidence: [
        "request \(octetText(subject.requests[index].octets)) in frame \(history.frame(procedure.request))",
        history.octetsText(first),
      ]
        + (uninvited.next == nil && uninvited.dated == nil
          ? [] : ["a single new reading may come in a report, but this one is days older or newer than the capture"])
    )
  }

  /// The one record of a report of the first or last one, where an older or a newer one had come before on the link.
  private func wrongEnd(
    _ index: Int,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding? {
    let procedure = history.procedures[index]
    let selection = subject.requests[index].selection
    guard procedure.opCode == .report, procedure.outcome == .success, selection == .first || selection == .last,
      procedure.sequences.count == 1, let number = procedure.sequences.maximum, let place = procedure.firstRecord,
      subject.standings[index].isClear, !subject.standings[index].mayInheritRecords
    else { return nil }
    let isLast = selection == .last
    // Nearly always nothing that came before lies beyond it.
    let came = subject.surroundings[index].delivered
    let mayBeWrong =
      isLast
      ? came.highest > number && came.latest > procedure.latest
      : came.lowest < number && came.earliest < procedure.earliest
    guard mayBeWrong else { return nil }
    for other in history.procedures[..<index].indices.reversed() {
      let earlier = history.procedures[other]
      // What a delete leaves is not known.
      if earlier.opCode == .delete { return nil }
      guard let low = earlier.sequences.minimum, let high = earlier.sequences.maximum, earlier.dialect == .health,
        !subject.standings[other].isOverlapping
      else { continue }
      // A store that is full loses its oldest record to a new reading; a lower number that is newer is another count.
      let isWrong =
        isLast
        ? high > number && procedure.latest > 0 && procedure.latest < earlier.latest
        : low < number && number - low > 1 && procedure.earliest < PackedTime.none
          && procedure.earliest > earlier.earliest
      guard isWrong else { continue }
      return Finding(
        "RACP-010",
        .warning,
        .sensor,
        .likely,
        link: history.number,
        procedure: index,
        frames: [
          history.frame(place), history.frame(procedure.request), history.frame(earlier.request),
          history.frame((isLast ? earlier.lastRecord : earlier.firstRecord) ?? earlier.request),
        ],
        time: history.time(place),
        key: hex(subject.requests[index].octets),
        message: "sent number \(number) for \(subject.quoted(index)), although number \(isLast ? high : low) had come",
        evidence: [
          "number \(isLast ? high : low) came in \(subject.quoted(other)), "
            + "requested in frame \(history.frame(earlier.request)); nothing was deleted over this link since",
          history.octetsText(place),
        ]
      )
    }
    return nil
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-008: the result says the contrary of what came.
public struct ResultContradictsRecords: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-008",
    name: "result-contradicts-records",
    summary:
      "the sensor says that no record was found after it sent or counted some, or success without having sent any",
    rationale: """
      An app that trusts the result throws away what came, or tells its user that the readings were fetched while \
      none has arrived, and moves its mark past them.
      """,
    remedy: """
      Sensor: answer a report with success (01) where at least one record was sent, and with no records found (06) \
      where none matches.
      """,
    clause: "GLS 3.4.3.4 (S22, S23)",
    needs: [.bothDirections, .noLoss, .whole],
    hole: """
      Where a report has a single record and the logger missed it, the success looks unfounded: a finding about one \
      report is only likely.
      """
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "six records, and \"no records found\"",
        "none-after-six",
        [
          .firstArrival, .report(.all), .accept, .records(1...6), .marked(.result(.report, .noRecordsFound)), .confirm,
          .farewell,
        ]
      ),
      RuleExample(
        .error,
        "one record of days before, and \"no records found\"",
        "none-after-an-old-one",
        [
          .firstArrival, .report(.all), .accept, .record(1), .marked(.result(.report, .noRecordsFound)), .confirm,
          .farewell,
        ]
      ),
      RuleExample(
        .error,
        "success, and no record at all",
        "success-without-records",
        [
          .firstArrival, .ask(answer: 6), .report(.all), .accept, .marked(.result(.report, .success)), .confirm,
          .wait(milliseconds: 3000), .disconnect(),
        ]
      ),
      RuleExample(
        .warning,
        "six are counted, and none is found",
        "none-of-six-counted",
        [
          .firstArrival, .ask(.atLeast(4), answer: 6), .report(.atLeast(4)), .accept,
          .marked(.result(.report, .noRecordsFound)), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "six came, and three of them are not found",
        "none-of-six-received",
        [
          .firstArrival, .fetch(.all, 1...6), .report(.atLeast(4)), .accept,
          .marked(.result(.report, .noRecordsFound)), .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "success after records, and none found where there is none",
        "results-agree",
        [.firstArrival, .fetch(.all, 1...6), .fetchNothing(.atLeast(7)), .farewell]
      ),
      RuleExample(
        "one is counted that is not there: the count is an estimate",
        "none-of-one-counted",
        [.firstArrival, .fetch(.all, 1...6), .ask(.atLeast(7), answer: 1), .fetchNothing(.atLeast(7)), .farewell]
      ),
      RuleExample(
        "none found after all were deleted",
        "none-after-delete",
        [
          .firstArrival, .ask(answer: 6), .fetch(.all, 1...6), .delete(.all), .accept, .result(.delete, .success),
          .confirm, .fetchNothing(.all), .farewell,
        ]
      ),
    ]
  }

  /// How a result contradicts what came.
  private enum Contradiction { case none, doubtful, unread, foundSome, foundOne, foundNone, lostSome }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard subject.isGlucose else { return .notApplicable }
    var some: [Int] = []
    var nothing: [Int] = []
    var lost: [Int] = []
    var isJudged = false
    var isDoubtful = false
    var isUnread = false
    for index in history.procedures.indices where history.procedures[index].opCode == .report {
      guard history.procedures[index].dialect == .health, history.procedures[index].result != nil else { continue }
      isJudged = true
      // What came of a report that began before the capture may be among what is said not to be there.
      if history.procedures[index].outcome == .noRecords && history.strayRecords.count > 0 { isDoubtful = true }
      switch contradiction(index, history, subject) {
      case .none: continue
      case .doubtful: isDoubtful = true
      case .unread: isUnread = true
      case .foundSome, .foundOne: some.append(index)
      case .foundNone: nothing.append(index)
      case .lostSome: lost.append(index)
      }
    }
    guard isJudged else { return .notApplicable }
    var findings = RequestCase.grouped(some, subject).map { foundSome($0, history, subject) }
    findings += RequestCase.grouped(nothing, subject).map { foundNone($0, history, subject) }
    findings += RequestCase.grouped(lost, subject).map { lostSome($0, history, subject) }
    if !findings.isEmpty { return .fail(findings) }
    if isDoubtful { return .inconclusive("the records of the report may be missing or mixed with others") }
    if isUnread { return .inconclusive("the report is not one of glucose measurements: its records are not known") }
    return .pass
  }

  private func contradiction(
    _ index: Int,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Contradiction {
    let procedure = history.procedures[index]
    let standing = subject.standings[index]
    if procedure.resultNamesOther { return .none }
    switch procedure.outcome {
    case .noRecords:
      if procedure.records == 0 { return proof(index, history, subject) == nil ? .none : .lostSome }
      if !standing.isClear || standing.mayInheritRecords { return .doubtful }
      let request = subject.requests[index]
      let matches = procedure.sequences.ranges.contains {
        request.matches(sequenceNumber: $0.lowerBound) != false
          || request.matches(sequenceNumber: $0.upperBound) != false
      }
      if !matches { return .none }
      return procedure.records == 1 ? .foundOne : .foundSome
    case .success:
      guard procedure.records == 0, procedure.contexts == 0, procedure.trailingRecords == 0,
        subject.wantsRecords(of: index, until: procedure.result ?? .max, history)
      else { return .none }
      switch procedure.source {
      case .glucose: break
      case .unknown: return .doubtful
      case .continuousGlucose, .other: return .unread
      }
      let members = procedure.members
      switch subject.subscriptions.state(of: .glucoseMeasurement, within: members, at: procedure.request) {
      case .off: return .none
      case .on: break
      case .unknown:
        guard subject.subscriptions.isOn(.glucoseMeasurement, within: members, at: procedure.request)
        else { return .doubtful }
      }
      // What nothing names may be the records of the report.
      if Self.hasUnnamedValues(procedure, history) { return .doubtful }
      // Records that come late are another fault; they may fall into the next procedure that may bring some.
      let next = subject.surroundings[index].nextDelivery.map { history.procedures[$0] }
      let isOver = history.end.cause == .disconnected || next.map { $0.answer != nil || $0.result != nil } ?? false
      return standing.isClear && isOver && (next?.records ?? 0) == 0 ? .foundNone : .doubtful
    default: return .none
    }
  }

  /// True where the sensor sent values of a handle without a name while the procedure ran.
  private static func hasUnnamedValues(_ procedure: Procedure, _ history: borrowing LinkHistory) -> Bool {
    let isPossible = history.handles.contains {
      $0.role == .unknown && $0.server == procedure.server && $0.notifications + $0.indications > 0
    }
    guard isPossible, let result = procedure.result, procedure.request < result else { return false }
    return history.pdus[Int(procedure.request)..<Int(result)].contains {
      $0.server == procedure.server && $0.isNotified && history.role($0) == .unknown
    }
  }

  /// What shows that records of this request were there: the count of the same, or records that came before; nil where
  /// nothing does, or where something was deleted since.
  private func proof(_ index: Int, _ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> String? {
    guard subject.standings[index].isClear else { return nil }
    let request = subject.requests[index]
    for other in history.procedures[..<index].indices.reversed() {
      let earlier = history.procedures[other]
      guard earlier.controlPoint == history.procedures[index].controlPoint else { continue }
      if earlier.opCode == .delete { return nil }
      guard earlier.dialect == .health, !subject.standings[other].isOverlapping else { continue }
      if case .count(let number) = earlier.outcome {
        guard subject.requests[other].octets.dropFirst() == request.octets.dropFirst() else { continue }
        // A count is an estimate (GLP 4.7.3.2), and one record too many is a common one.
        return number < 2 ? nil : "\(number) records of the same had been counted"
      }
      guard earlier.opCode == .report, earlier.outcome == .success || earlier.outcome == .noRecords else { continue }
      if earlier.outcome == .noRecords && subject.requests[other].octets == request.octets { return nil }
      for range in earlier.sequences.ranges.reversed() where request.matches(sequenceNumber: range.upperBound) == true {
        return "number \(range.upperBound) had come"
      }
    }
    return nil
  }

  private func lostSome(
    _ found: RequestCase,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let index = found.procedures[0]
    return found.finding(
      "RACP-008",
      .warning,
      .sensor,
      .likely,
      key: " lost some",
      message: "answered \(subject.quoted(index)) with no records found, although "
        + (proof(index, history, subject) ?? "records had come"),
      evidence: [
        "nothing was deleted over this link in between; its user, or another collector, may have deleted them",
        "result \(octetText(history.resultOctets(history.procedures[index])))",
      ],
      history
    ) { $0.result ?? $0.request }
  }

  private func foundSome(
    _ found: RequestCase,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let procedure = history.procedures[found.procedures[0]]
    let areSingle = found.procedures.allSatisfy { history.procedures[$0].records == 1 }
    let isStored = found.procedures.contains { UninvitedRecords.isSingleStored($0, history, subject) }
    let isOne = areSingle && !isStored
    return found.finding(
      "RACP-008",
      isOne ? .warning : .error,
      .sensor,
      areSingle ? .likely : .certain,
      key: " found some",
      message: "answered \(subject.quoted(found.procedures[0])) with no records found "
        + "after \(countText(Int(procedure.records), "record"))",
      evidence: [
        "first record in frame \(history.frame(procedure.firstRecord ?? procedure.request)), "
          + "last in frame \(history.frame(procedure.lastRecord ?? procedure.request))",
        isOne
          ? "a single one may have been taken at that moment"
          : areSingle
            ? "a single new reading may come in a report, but this one is older, or dated days off the capture"
            : "result \(octetText(history.resultOctets(procedure)))",
      ],
      history
    ) { $0.result ?? $0.request }
  }

  private func foundNone(
    _ found: RequestCase,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let procedure = history.procedures[found.procedures[0]]
    let took = history.time(procedure.result ?? procedure.request) - procedure.startTime
    return found.finding(
      "RACP-008",
      .error,
      .sensor,
      // The one record of a report may be a packet that the logger missed.
      found.procedures.count > 1 ? .certain : .likely,
      key: " found none",
      message: "answered \(subject.quoted(found.procedures[0])) with success after 0 records, "
        + "\(durationText(took)) after the request",
      evidence: [
        "result \(octetText(history.resultOctets(procedure))); due is 06000106 where nothing matches",
        "notifications of measurements were on, and none came before or after it",
      ],
      history
    ) { $0.result ?? $0.request }
  }
}

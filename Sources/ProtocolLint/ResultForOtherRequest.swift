import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-006: the result names another request than the one it answers.
public struct ResultForOtherRequest: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-006",
    name: "result-for-other-request",
    summary: "the sensor's result names another op code than that of the request it answers",
    rationale: """
      A collector tells by the request op code in the result which procedure has ended. One that checks it waits \
      for 30 s for a result that never comes; one that does not may take the end of one procedure for another's.
      """,
    remedy: """
      Sensor: put the op code of the request that is answered into the third octet of the response; answer a count \
      with op code 05 and the number, also where it is 0, and everything else with op code 06.
      """,
    clause: "GLS 3.4.3, GLS 3.4.3.2 (S20, S21, S22)",
    needs: [.bothDirections, .noLoss, .whole],
    hole: """
      Where the logger missed the Write Response of a request, the next one is taken for it, and \
      a result may seem to answer another request.
      """,
    explains: ["RACP-004", "RACP-008"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "a report is answered as if it had been a delete",
        "delete-for-report",
        [
          .firstArrival, .report(.all), .accept, .records(1...6), .marked(.result(.delete, .success)), .confirm,
          .farewell,
        ]
      ),
      RuleExample(
        .error,
        "a count is answered with success instead of a number",
        "success-for-count",
        [.firstArrival, .count(.all), .accept, .marked(.result(.count, .success)), .confirm, .farewell]
      ),
      RuleExample(
        .error,
        "an abort is answered as if it had been the report",
        "report-for-abort",
        [
          .firstArrival, .report(.all), .accept, .records(1...4), .abort, .accept, .marked(.result(.report, .success)),
          .confirm, .wait(milliseconds: 1000), .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "each result names its request",
        "results-match",
        [.firstArrival, .ask(answer: 6), .fetch(.all, 1...6), .fetchNothing(.atLeast(7)), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    var wrong: [Int] = []
    var isJudged = false
    var isDoubtful = false
    for index in history.procedures.indices {
      let procedure = history.procedures[index]
      guard procedure.dialect == .health, let result = procedure.result else { continue }
      isJudged = true
      // It came after its Abort was accepted, whose own result is not there yet: it may be that one.
      if let abort = subject.surroundings[index].unfinishedAbort, abort < result { isDoubtful = true }
      guard names(history.value(history.pdus[Int(result)]).copied(), procedure.opCode) == false else { continue }
      if subject.standings[index].isClear { wrong.append(index) } else { isDoubtful = true }
    }
    guard isJudged else { return .notApplicable }
    if wrong.isEmpty {
      return isDoubtful
        ? .inconclusive("the result may answer another request than it seems to") : .pass
    }
    return .fail(RequestCase.grouped(wrong, subject).compactMap { finding($0, history, subject) })
  }

  /// Whether a result is one for this request; nil where it is no result at all.
  private func names(_ octets: [UInt8], _ asked: RecordAccessOpCode) -> Bool? {
    switch RecordAccessResponse(octets: octets).content {
    case .count: return asked == .count
    case .outcome(let named, let value): return named == asked && !(asked == .count && value == .success)
    case nil: return nil
    }
  }

  private func finding(
    _ found: RequestCase,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding? {
    let index = found.procedures[0]
    let procedure = history.procedures[index]
    guard let result = procedure.result else { return nil }
    let octets = history.value(history.pdus[Int(result)]).copied()
    return Finding(
      "RACP-006",
      .error,
      .sensor,
      .certain,
      link: history.number,
      procedure: index,
      otherProcedures: Array(found.procedures.dropFirst()),
      frames: [history.frame(result)]
        + found.procedures.dropFirst().compactMap { history.procedures[$0].result.map { history.frame($0) } }
        + found.procedures.map { history.frame(history.procedures[$0].request) },
      time: history.time(result),
      key: hex(found.octets) + " answered " + hex(octets),
      message: "answered \(subject.quoted(index)) with \(octetText(octets)), "
        + "\"\(RecordAccessResponse(octets: octets).summary)\", after \(countText(Int(procedure.records), "record"))",
      evidence: [
        "request \(octetText(found.octets)) in frame \(history.frame(procedure.request))",
        "result \(octetText(octets)) in frame \(history.frame(result))",
        procedure.opCode == .count
          ? "due was op code 05 with the number" : "due was 0600\(octetText([procedure.opCode.octet()])) and a value",
      ]
    )
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-007: a second result for one request, or a result without a request.
public struct ResultUnasked: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-007",
    name: "result-unasked",
    summary: "the sensor sends a second result for a request, or a result that nobody asked for",
    rationale: """
      A result too many ends the collector's next procedure before its records have come: the app takes a part of the \
      records for all of them.
      """,
    remedy: """
      Sensor: indicate exactly one result for each accepted request; after a lost confirmation do not send the result \
      again.
      """,
    clause: "GLS 3.4.3.4 (S22)",
    needs: [.bothDirections, .noLoss, .whole, .start]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "success is indicated twice",
        "success-twice",
        [
          .firstArrival, .fetch(.all, 1...6), .wait(milliseconds: 100), .marked(.result(.report, .success)), .confirm,
          .farewell,
        ]
      ),
      RuleExample(
        .error,
        "the second success crosses the next request",
        "success-twice-crossing",
        [
          .firstArrival, .fetch(.all, 1...6), .wait(milliseconds: 100),
          .crossing(fromCollector: .report(.atLeast(7)), fromSensor: .marked(.result(.report, .success))), .accept,
          .confirm, .result(.report, .noRecordsFound), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "a count is answered twice, and the second answer crosses the next request",
        "count-twice-crossing",
        [
          .firstArrival, .ask(answer: 6),
          .crossing(fromCollector: .report(.all), fromSensor: .marked(.result(.count, .success))), .accept, .confirm,
          .records(1...6), .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "a result comes before anything was asked",
        "unasked",
        [
          .firstArrival, .marked(.result(.report, .noRecordsFound)), .confirm, .wait(milliseconds: 300),
          .fetch(.all, 1...6), .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "one result for each request",
        "one-each",
        [.firstArrival, .ask(answer: 6), .fetch(.all, 1...6), .farewell]
      ),
      RuleExample(
        "the request is a prepared write",
        "prepared-request",
        [
          .firstArrival, .prepareWrite(.recordAccess, offset: 0, [0x01]),
          .prepareWrite(.recordAccess, offset: 1, [0x01]), .executeWrite(writes: true), .accept, .records(1...6),
          .result(.report, .success), .confirm, .farewell,
        ]
      ),
    ]
  }

  /// Results that answer no open request, by what they are.
  private struct Unasked {
    /// The procedure each second result names, and its place.
    var second: [(procedure: Int, place: UInt32)] = []
    var alone: [UInt32] = []
    var isDoubtful = false
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard !history.procedures.isEmpty || !history.unaskedResults.isEmpty else { return .notApplicable }
    let mayCross =
      history.hasUndecidedResult || history.procedures.contains { history.resultMayCrossRequest($0) }
    if history.unaskedResults.isEmpty {
      return mayCross ? .inconclusive("the result may be a second one of an earlier request") : .pass
    }
    let unasked = sort(history, subject)
    var findings: [Finding] = []
    for index in history.procedures.indices {
      let places = unasked.second.filter { $0.procedure == index }.map(\.place)
      if let first = places.first { findings.append(second(index, first, places, history, subject)) }
    }
    if let first = unasked.alone.first { findings.append(alone(first, unasked.alone, history)) }
    if !findings.isEmpty { return .fail(findings) }
    return unasked.isDoubtful ? .inconclusive("the result may be a late one of an earlier request") : .pass
  }

  private func sort(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> Unasked {
    var unasked = Unasked()
    for place in history.unaskedResults {
      let pdu = history.pdus[Int(place)]
      let response = RecordAccessResponse(decoding: history.value(pdu))
      guard let content = response.content, history.role(pdu) == .recordAccess else { continue }
      var owner: Int?
      for index in history.procedures.indices {
        let procedure = history.procedures[index]
        if procedure.request > place { break }
        // A request that is answered behind the result crossed it in the air: the sensor sent it for an earlier one.
        if let answer = procedure.answer, answer > place { continue }
        if history.wasAccepted(procedure) && procedure.controlPoint == pdu.handle && procedure.server == pdu.server {
          owner = index
        }
      }
      guard let owner else {
        unasked.alone.append(place)
        continue
      }
      let standing = subject.standings[owner]
      // Two results of two requests that ran side by side, or what an abort left over: other rules speak of them.
      if standing.isOverlapping || standing.isAborted || history.procedures[owner].opCode == .abort { continue }
      if standing.followsUnfinished || !history.procedures[owner].isFinished {
        unasked.isDoubtful = true
      } else if names(content, history.procedures[owner].opCode) {
        unasked.second.append((owner, place))
      } else {
        unasked.alone.append(place)
      }
    }
    return unasked
  }

  private func names(_ content: RecordAccessResponse.Content, _ asked: RecordAccessOpCode) -> Bool {
    switch content {
    case .count: asked == .count
    case .outcome(let named, _): named == asked
    }
  }

  private func second(
    _ index: Int,
    _ first: UInt32,
    _ places: [UInt32],
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let procedure = history.procedures[index]
    let result = procedure.result ?? procedure.request
    return Finding(
      "RACP-007",
      .error,
      .sensor,
      .certain,
      link: history.number,
      procedure: index,
      frames: places.map { history.frame($0) } + [history.frame(result)],
      time: history.time(first),
      key: "second result of " + hex(subject.requests[index].octets),
      message: "sent \(countText(places.count, "more result")) for \(subject.quoted(index)), "
        + "\(durationText(history.time(first) - history.time(result))) after the first",
      evidence: [
        "result \(octetText(history.resultOctets(procedure))) in frame \(history.frame(result))",
        "again " + history.octetsText(first),
      ]
    )
  }

  private func alone(_ first: UInt32, _ places: [UInt32], _ history: borrowing LinkHistory) -> Finding {
    Finding(
      "RACP-007",
      .warning,
      .sensor,
      .likely,
      link: history.number,
      frames: places.map { history.frame($0) },
      time: history.time(first),
      key: "no request",
      message: "sent \(countText(places.count, "result")) that no request of this link asked for, the first "
        + "\"\(RecordAccessResponse(decoding: history.value(history.pdus[Int(first)])).summary)\"",
      evidence: [history.octetsText(first), "no accepted request is without its result at that moment"]
    )
  }
}

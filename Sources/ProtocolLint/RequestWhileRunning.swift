import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-001: a request other than Abort while a procedure runs.
///
/// Judged by the sensor's own order: what matters is whether the answer to the request left the sensor before the
/// result of the running procedure, so that both ends of a link give the same verdict. A request that the sensor
/// answers after the result, but that was sent before the result's confirmation, is only noted: both are the
/// collector's own packets, and their order is the same at both ends.
public struct RequestWhileRunning: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-001",
    name: "overlapping-procedures",
    summary: "the collector sends a record access request while another procedure is still running",
    rationale: """
      A sensor runs one procedure at a time. A second request is refused, or, worse, carried out beside the first: \
      the records of both arrive interleaved and the collector cannot tell which result belongs to which request.
      """,
    remedy: """
      Wait for the indication on the control point that answers the running request, or abort it and wait for the \
      answer to the abort, before the next request. A pause in the notifications is not the end. After error 0x80 \
      do not ask again before that indication.
      """,
    clause: "GLP 4.7, GLP 4.7.3 (C8, C9)",
    needs: [.bothDirections, .noLoss],
    explains: ["RACP-003", "GATT-009"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "a second request during the first, refused by the sensor",
        "overlap-refused",
        [
          .firstArrival, .report(.all), .accept, .records(1...3), .marked(.report(.all)), .refuse(error: 0x80),
          .records(4...12), .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "the same request again and again after the refusal",
        "overlap-repeated",
        [
          .firstArrival, .report(.all), .accept, .records(1...3), .marked(.count(.all)), .refuse(error: 0x80),
          .record(4), .count(.all), .refuse(error: 0x80), .record(5), .count(.all), .refuse(error: 0x80),
          .records(6...12), .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "a second request during the first, carried out beside it",
        "overlap-accepted",
        [
          .firstArrival, .report(.all), .accept, .records(1...3), .marked(.report(.atLeast(2))), .accept, .record(4),
          .record(2), .record(5), .record(3), .result(.report, .success), .confirm, .record(4), .record(5),
          .result(.report, .success), .confirm, .farewell,
        ]
      ).alongside("RACP-002"),
      RuleExample(
        .note,
        "the next request goes out before the result is confirmed",
        "overlap-crossed",
        [
          .firstArrival, .ask(answer: 6), .report(.all), .accept, .records(1...6), .result(.report, .success),
          .marked(.count(.all)), .confirm, .accept, .counted(6), .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "each request waits for the result before it",
        "one-after-another",
        [.firstArrival, .ask(answer: 12), .fetch(.all, 1...12), .fetchNothing(.atLeast(13)), .farewell]
      ),
      RuleExample(
        "an abort may be sent at any time",
        "abort-then-ask",
        [
          .firstArrival, .report(.all), .accept, .records(1...4), .abort, .accept, .result(.abort, .success), .confirm,
          .fetch(.atLeast(5), 5...12), .farewell,
        ]
      ),
    ]
  }

  /// Requests of the same octets that break the clause in the same way.
  private struct Case {
    /// What makes two requests one case.
    struct Key: Hashable {
      var octets: [UInt8]
      var isCrossing: Bool
    }

    var key: Key
    /// The procedures of the requests, and the one that ran when the first of them was sent.
    var procedures: [Int]
    var running: Int
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard !history.procedures.isEmpty else { return .notApplicable }
    var cases: [Case] = []
    var places: [Case.Key: Int] = [:]
    var isOwed = false
    var isHidden = false
    for index in history.procedures.indices where history.procedures[index].opCode != .abort {
      let overlapped = history.procedures[index].overlaps.map { Int($0) }
      guard let running = overlapped ?? unconfirmed(before: index, history, subject) else { continue }
      if subject.isAbortOfExpired(running, history) {
        isOwed = true
        continue
      }
      // No result can come where indications are off: nothing tells whether the first one still runs.
      // Nor does anything tell what an unanswered abort has aborted that found nothing running.
      let other = history.procedures[running]
      let isAbortOfUnseen = other.opCode == .abort && other.overlaps == nil && other.result == nil
      let place = history.procedures[index].request
      if isAbortOfUnseen || subject.subscriptions.state(of: .recordAccess, at: other.request) == .off
        || subject.beginsToListen(behind: other.request, until: place)
      {
        isHidden = true
        continue
      }
      let octets = history.written(history.pdus[Int(history.procedures[index].request)]).copied()
      let key = Case.Key(octets: octets, isCrossing: overlapped == nil)
      if let known = places[key] {
        cases[known].procedures.append(index)
      } else {
        places[key] = cases.count
        cases.append(Case(key: key, procedures: [index], running: running))
      }
    }
    if !cases.isEmpty { return .fail(cases.map { finding($0, history, subject) }) }
    if isOwed { return .inconclusive("the abort before may have had nothing to abort") }
    if isHidden { return .inconclusive("the end of the procedure before cannot be seen") }
    if !subject.facts.contains(.end) && endsUndecided(history) {
      return .inconclusive("the capture ends between a request and what would show whether the one before was over")
    }
    return .pass
  }

  /// True where the last request found another procedure without its result or confirmation, and so did the capture's
  /// end.
  private func endsUndecided(_ history: borrowing LinkHistory) -> Bool {
    guard let last = history.procedures.last, last.opCode != .abort else { return false }
    return history.procedures.dropLast().contains { other in
      guard other.controlPoint == last.controlPoint, other.server == last.server else { return false }
      switch other.outcome {
      case .running, .captureEnded: return true
      default: return other.result != nil && (other.confirmation ?? .max) > last.request
      }
    }
  }

  /// The procedure whose result the sensor sent before it answered this request, and that the collector confirmed
  /// only after it had sent this request.
  private func unconfirmed(
    before index: Int,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Int? {
    let procedure = history.procedures[index]
    guard let answer = procedure.answer, let other = subject.surroundings[index].lastConfirmed,
      let result = history.procedures[other].result, let confirmation = history.procedures[other].confirmation
    else { return nil }
    return result < answer && procedure.request < confirmation ? other : nil
  }

  private func finding(
    _ found: Case,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let requests = found.procedures.map { history.pdus[Int(history.procedures[$0].request)] }
    let request = requests[0]
    let running = history.procedures[found.running]
    let first = history.pdus[Int(running.request)]
    let what = requestText(found.procedures[0], history)
    let before = requestText(found.running, history)
    var evidence = [
      "request in frame \(first.frame): \(before)", "request in frame \(request.frame): \(what)",
      running.result.map {
        "result of the first in frame \(history.pdus[Int($0)].frame), "
          + elapsed(first.time, history.pdus[Int($0)].time, "after its request")
      } ?? "the first has no result in the capture",
    ]
    for (earlier, later) in zip(requests, requests.dropFirst()).prefix(3) {
      evidence.append("repeated in frame \(later.frame), " + elapsed(earlier.time, later.time, "later"))
    }
    var finding = Finding(
      "RACP-001",
      found.key.isCrossing ? .note : .error,
      .collector,
      .certain,
      link: history.number,
      procedure: found.procedures[0],
      otherProcedures: [found.running] + found.procedures.dropFirst(),
      frames: requests.map(\.frame) + [first.frame],
      time: request.time,
      key: hex(found.key.octets) + (found.key.isCrossing ? " before confirmation of " : " during ")
        + hex(history.value(first).copied()),
      message: found.key.isCrossing
        ? crossing(what, before, request, running, history)
        : overlap(
          found,
          what,
          before,
          from: first.time,
          to: request.time,
          // The collector had sent an Abort of the running procedure and did not wait for what came of it.
          hasOpenAbort: subject.surroundings[found.procedures[0]].followsOpenAbort,
          history
        ),
      evidence: evidence
    )
    finding.isRootCause = !found.key.isCrossing
    return finding
  }

  /// A time between two packets; where the capture's clock was set back only their order is left.
  private func elapsed(_ from: Int64, _ to: Int64, _ relation: String) -> String {
    to >= from ? "\((to - from) / 1000) ms \(relation)" : relation
  }

  private func requestText(_ index: Int, _ history: borrowing LinkHistory) -> String {
    let procedure = history.procedures[index]
    let request = history.pdus[Int(procedure.request)]
    return RecordAccessRequest(decoding: history.written(request), dialect: procedure.dialect).quoted
  }

  private func overlap(
    _ found: Case,
    _ what: String,
    _ before: String,
    from start: Int64,
    to time: Int64,
    hasOpenAbort: Bool,
    _ history: borrowing LinkHistory
  ) -> String {
    let count = found.procedures.count
    let abort = hasOpenAbort ? ", its abort not yet answered by a result" : ""
    let sent =
      count == 1
      ? "\(what) sent " + elapsed(start, time, "after \(before)") + ", which was still running" + abort
      : "\(what) sent \(count) times while \(before) was running, first " + elapsed(start, time, "after it")
    return sent + "; " + answers(found, history)
  }

  private func answers(_ found: Case, _ history: borrowing LinkHistory) -> String {
    let times = found.procedures.count == 1 ? "" : " each time"
    var refusals: [ATTError] = []
    for index in found.procedures {
      if case .refused(let error) = history.procedures[index].outcome { refusals.append(error) }
    }
    guard let error = refusals.first else {
      let isCommand = found.procedures.allSatisfy { history.procedures[$0].answer == nil }
      return isCommand ? "it was sent as a command, to which there is no answer" : "the sensor accepted it" + times
    }
    let isGlucose = history.procedures[found.procedures[0]].source != .continuousGlucose
    let code = refusalText(error, isGlucose: isGlucose)
    if refusals.count == found.procedures.count { return "the sensor refused it with \(code)" + times }
    return "the sensor refused it \(refusals.count) of \(found.procedures.count) times with \(code)"
  }

  private func crossing(
    _ what: String,
    _ before: String,
    _ request: AttributePDU,
    _ running: Procedure,
    _ history: borrowing LinkHistory
  ) -> String {
    let confirmed = running.confirmation.map { history.pdus[Int($0)].time } ?? request.time
    return "\(what) sent \((confirmed - request.time) / 1000) ms before the result of \(before) was confirmed"
  }
}

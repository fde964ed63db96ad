import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-016: an abort and the request it aborts both get a result, records go on after it, or nothing was running.
public struct AbortMishandled: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-016",
    name: "abort-mishandled",
    summary: "an abort is not carried out as it should be, or there was nothing to abort",
    rationale: """
      A successful abort ends the running procedure without a result of its own. A second result, or records that go \
      on, land in the next procedure and are taken for its own.
      """,
    remedy: """
      Sensor: on Abort stop queueing records, drop the result of the aborted request and indicate 06 00 03 01. \
      Collector: abort only while a procedure is running.
      """,
    clause: "GLS 3.4.3.5, GLP 4.7.3.5 (S25)",
    needs: [.bothDirections, .noLoss, .whole]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "the aborted report gets a result as well",
        "two-results",
        [
          .firstArrival, .report(.all), .accept, .records(1...4), .abort, .accept, .result(.abort, .success), .confirm,
          .marked(.result(.report, .success)), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "records still come three seconds after the abort",
        "records-go-on",
        [
          .firstArrival, .report(.all), .accept, .records(1...4), .abort, .accept, .result(.abort, .success), .confirm,
          .wait(milliseconds: 3000), .marked(.record(5)), .records(6...7), .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "all that was counted comes after the abort",
        "rest-comes",
        [
          .firstArrival, .ask(answer: 20), .report(.all), .accept, .records(1...4), .abort, .accept, .record(5),
          .result(.abort, .success), .confirm, .marked(.record(6)), .records(7...20), .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "all that was delivered before comes after the abort",
        "rest-comes-again",
        [
          .firstArrival, .fetch(.all, 1...20), .report(.all), .accept, .records(1...4), .abort, .accept, .record(5),
          .result(.abort, .success), .confirm, .marked(.record(6)), .records(7...20), .farewell,
        ]
      ),
      RuleExample(
        .note,
        "there is nothing to abort",
        "nothing-to-abort",
        [
          .firstArrival, .fetch(.all, 1...4), .marked(.abort), .accept, .result(.abort, .success), .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the abort ends the report, and one record trails",
        "aborted",
        [
          .firstArrival, .report(.all), .accept, .records(1...4), .abort, .accept, .record(5),
          .result(.abort, .success),
          .confirm, .fetch(.atLeast(6), 6...9), .farewell,
        ]
      ),
      RuleExample(
        "the few records that were queued trail, and they were the last",
        "queue-runs-dry",
        [
          .firstArrival, .ask(answer: 10), .report(.all), .accept, .records(1...4), .abort, .accept, .record(5),
          .result(.abort, .success), .confirm, .records(6...10), .farewell,
        ]
      ),
      RuleExample(
        "the result was sent before the abort arrived",
        "crossed",
        [
          .firstArrival, .report(.all), .accept, .records(1...4), .abort, .result(.report, .success), .confirm, .accept,
          .result(.abort, .abortUnsuccessful), .confirm, .farewell,
        ]
      ),
    ]
  }

  /// Records that were queued may still come for so long. Microseconds.
  private static let trail: Int64 = 2_000_000

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    var findings: [Finding] = []
    var isJudged = false
    var reason: String?
    for index in history.procedures.indices {
      let abort = history.procedures[index]
      guard abort.opCode == .abort, abort.dialect == .health, let answer = abort.answer,
        history.pdus[Int(answer)].opcode.saysWritten
      else { continue }
      isJudged = true
      if abort.overlaps == nil {
        let around = subject.surroundings[index]
        // A result that was not confirmed yet has crossed the abort. Where the result of an accepted request never came,
        // its timer has run out, and the sensor may well be at it.
        if around.crossesResult || around.followsExpired || !subject.requests[index].isWellFormed {
          continue
        } else if subject.standings[index].isAlone {
          findings.append(idle(index, history, subject))
        } else {
          reason = "what was running when the abort came may have begun before the capture"
        }
      } else if abort.outcome == .success, let running = abort.overlaps.map(Int.init) {
        if let found = secondResult(index, running, answer, history, subject) { findings.append(found) }
        if let found = trailing(index, running, history, subject) {
          findings.append(found)
        } else if let found = rest(index, running, history, subject) {
          findings.append(found)
        }
      }
    }
    guard isJudged else { return .notApplicable }
    return findings.isEmpty ? reason.map { .inconclusive($0) } ?? .pass : .fail(findings)
  }

  private func secondResult(
    _ index: Int,
    _ running: Int,
    _ answer: UInt32,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding? {
    let aborted = history.procedures[running]
    let abort = history.procedures[index]
    let next = index + 1 < history.procedures.count ? history.procedures[index + 1].start : .max
    var second = aborted.result.flatMap { $0 > answer && aborted.outcome != .aborted ? $0 : nil }
    if second == nil {
      second = history.unaskedResults.first { place in
        guard place > answer && place < next else { return false }
        let octets = history.value(history.pdus[Int(place)]).copied()
        if case .outcome(let named, _) = RecordAccessResponse(octets: octets).content { return named == aborted.opCode }
        return aborted.opCode == .count
      }
    }
    guard let second else { return nil }
    return Finding(
      "RACP-016",
      .error,
      .sensor,
      .certain,
      link: history.number,
      procedure: index,
      otherProcedures: [running],
      frames: [history.frame(second), history.frame(abort.request), history.frame(abort.result ?? answer)],
      time: history.time(second),
      key: "second result of " + hex(subject.requests[running].octets),
      message: "a result for the aborted \(subject.quoted(running)) as well as for the abort, "
        + "\(durationText(history.time(second) - history.time(answer))) after the abort was accepted",
      evidence: [
        "abort accepted in frame \(history.frame(answer)), "
          + "its result in frame \(history.frame(abort.result ?? answer))",
        "result of the aborted request in frame \(history.frame(second))",
      ]
    )
  }

  private func trailing(
    _ index: Int,
    _ running: Int,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding? {
    guard let result = history.procedures[index].result else { return nil }
    let ended = history.time(result)
    let late = recordsAfter(index, running, history).filter { history.time($0) - ended > Self.trail }
    // A single one is a new reading.
    guard late.count > 1 else { return nil }
    return records(
      late,
      index,
      running,
      history,
      subject,
      message: "sent \(countText(late.count, "record")) of the aborted \(subject.quoted(running)) more than 2 s after "
        + "the abort's success, the last \(durationText(history.time(late[late.count - 1]) - ended)) after it",
      evidence: ["result of the abort in frame \(history.frame(result))"]
    )
  }

  /// Records after the abort's success that a queue may hold where they are all the rest, and at most.
  private static let queue = 10
  private static let longQueue = 20

  /// More records than a queue may hold that came within two seconds of the abort's success.
  private func rest(
    _ index: Int,
    _ running: Int,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding? {
    let (abort, aborted) = (history.procedures[index], history.procedures[running])
    guard let result = abort.result, aborted.opCode == .report,
      Int(aborted.trailingRecords + abort.trailingRecords) > Self.queue
    else { return nil }
    let late = recordsAfter(index, running, history)
    guard late.count > Self.queue else { return nil }
    let proof = wholeCame(running, history, subject)
    if proof == nil && late.count <= Self.longQueue { return nil }
    return records(
      late,
      index,
      running,
      history,
      subject,
      proof: proof?.frame,
      message: "sent \(proof == nil ? "" : "the whole rest, ")\(countText(late.count, "record")), of the aborted "
        + "\(subject.quoted(running)) after the abort's success",
      evidence: [
        "result of the abort in frame \(history.frame(result))", proof?.text ?? "more than what a queue holds",
      ]
    )
  }

  /// The measurements between the result of an abort and the answer to the next request.
  private func recordsAfter(_ index: Int, _ running: Int, _ history: borrowing LinkHistory) -> [UInt32] {
    let abort = history.procedures[index]
    guard let result = abort.result, history.procedures[running].trailingRecords + abort.trailingRecords > 0
    else { return [] }
    let next = index + 1 < history.procedures.count ? history.procedures[index + 1].start : UInt32(history.pdus.count)
    guard result < next else { return [] }
    return (result..<next).filter { place in
      let pdu = history.pdus[Int(place)]
      return pdu.opcode.role == .notification && history.role(pdu) == .glucoseMeasurement && pdu.server == abort.server
    }
  }

  /// The finding about measurements that came after an abort's success.
  ///
  /// - Parameter proof: a further frame that it rests on.
  private func records(
    _ late: [UInt32],
    _ index: Int,
    _ running: Int,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject,
    proof: UInt32? = nil,
    message: String,
    evidence: [String]
  ) -> Finding {
    let result = history.procedures[index].result.map { [history.frame($0)] } ?? []
    return Finding(
      "RACP-016",
      .warning,
      .sensor,
      .likely,
      link: history.number,
      procedure: index,
      otherProcedures: [running],
      frames: late.map { history.frame($0) } + result + (proof.map { [$0] } ?? []),
      time: history.time(late[0]),
      key: "records after abort of " + hex(subject.requests[running].octets),
      message: message,
      evidence: evidence
    )
  }

  /// What shows that every record of a report came; nil where nothing does.
  private func wholeCame(
    _ index: Int,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> (text: String, frame: UInt32)? {
    let came = history.procedures[index].sequences
    guard let other = subject.surroundings[index].known else { return nil }
    let earlier = history.procedures[other]
    switch earlier.outcome {
    case .count(let number):
      guard UInt64(number) == came.count else { return nil }
      return ("\(number) records had been counted, and as many came", history.frame(earlier.request))
    default:
      guard earlier.sequences == came else { return nil }
      let text = "the same \(countText(Int(came.count), "record")) had come in a report before"
      return (text, history.frame(earlier.request))
    }
  }

  private func idle(_ index: Int, _ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> Finding {
    let abort = history.procedures[index]
    let value = abort.result.map { octetText(history.value(history.pdus[Int($0)]).copied()) }
    return Finding(
      "RACP-016",
      .note,
      .undetermined,
      .certain,
      link: history.number,
      procedure: index,
      frames: [history.frame(abort.request)],
      time: abort.startTime,
      key: "nothing running",
      message: "abort \"\(octetText(subject.requests[index].octets))\" sent with nothing running",
      evidence: ["the specification does not say what a sensor answers; it answered \(value ?? "nothing")"]
    )
  }
}

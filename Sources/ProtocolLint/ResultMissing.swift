import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-004: an accepted request gets no result within the 30 s timer of the profile.
public struct ResultMissing: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-004",
    name: "result-missing",
    summary: "the sensor accepts a request and never indicates its result, although the link stays up",
    rationale: """
      The indication on the control point is the only sign that all records have come. Without it the collector must \
      wait 30 s, treat the transfer as failed and connect again: an app either hangs or takes an incomplete set for \
      the whole.
      """,
    remedy: """
      Sensor: end each accepted request, Abort included, with exactly one indication on the control point, also \
      where nothing is found (06) or the procedure cannot be completed (08).
      """,
    clause: "GLS 3.4.3.4, GLS 3.4.3.5 (S22, S25), GLP 4.7.5 (C12)",
    needs: [.bothDirections, .noLoss, .steadyClock],
    hole: """
      A result that the logger missed together with its confirmation looks like one that was never \
      sent.
      """,
    explains: ["RACP-009", "SEQ-004"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "all records come and no result",
        "records-without-result",
        [
          .firstArrival, .ask(answer: 6), .marked(.report(.all)), .accept, .records(1...6),
          .wait(milliseconds: 35_000), .disconnect(),
        ]
      ),
      RuleExample(
        .error,
        "an abort is accepted and gets no answer",
        "abort-without-result",
        [
          .firstArrival, .ask(answer: 6), .report(.all), .accept, .records(1...3), .marked(.abort), .accept,
          .wait(milliseconds: 35_000), .disconnect(),
        ]
      ),
      RuleExample(
        .error,
        "an abort is answered as unsuccessful, and the report that goes on gets no result",
        "failed-abort-without-result",
        [
          .firstArrival, .ask(answer: 30), .marked(.report(.all)), .accept, .records(1...8), .abort, .accept,
          .result(.abort, .abortUnsuccessful), .confirm, .records(9...12), .wait(milliseconds: 35_000), .disconnect(),
        ]
      ),
      RuleExample(
        .error,
        "the result comes 40 s after the last record",
        "result-after-timer",
        [
          .firstArrival, .ask(answer: 6), .marked(.report(.all)), .accept, .records(1...6),
          .wait(milliseconds: 40_000), .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "the report stands still for 45 s between two records",
        "records-after-timer",
        [
          .firstArrival, .ask(answer: 6), .marked(.report(.all)), .accept, .records(1...3),
          .wait(milliseconds: 45_000), .records(5...6), .result(.report, .success), .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the result comes 25 s after the last record",
        "late-result",
        [
          .firstArrival, .report(.all), .accept, .records(1...6), .wait(milliseconds: 25_000),
          .result(.report, .success), .confirm, .farewell,
        ]
      ).alongside("RACP-022"),
      RuleExample(
        "the aborted report has no result of its own",
        "aborted-report",
        [
          .firstArrival, .report(.all), .accept, .records(1...3), .abort, .accept, .result(.abort, .success), .confirm,
          .wait(milliseconds: 35_000), .disconnect(),
        ]
      ),
      RuleExample(
        "indications are turned off once the result has come",
        "turned-off-after-result",
        [
          .firstArrival, .fetch(.all, 1...6), .subscribe([.recordAccess], isOn: false), .wait(milliseconds: 2000),
          .disconnect(),
        ]
      ),
    ]
  }

  /// The timer and a second for the logger. Microseconds.
  private static let limit = ProcedureTimer.limit

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    var owed: [Int] = []
    var late: [Int] = []
    var reason: String?
    var isJudged = false
    for index in history.procedures.indices {
      let procedure = history.procedures[index]
      guard procedure.dialect == .health, let answer = procedure.answer,
        history.pdus[Int(answer)].opcode.saysWritten
      else { continue }
      isJudged = true
      // What comes after the timer is as late as if it had never come.
      if stall(procedure, history).length >= Self.limit && !subject.standings[index].isOverlapping {
        if !staysOn(index, history, subject) {
          reason = Self.turnedOff
        } else if subject.hidesPDUs {
          reason = "the logger cut packets so short that records may be among them"
        } else if subject.isHeldUp(procedure, history) {
          reason = "the sensor had to wait for the confirmation of an earlier indication"
        } else {
          late.append(index)
        }
        continue
      }
      switch procedure.outcome {
      case .unanswered, .running, .captureEnded: break
      case .notCaptured:
        reason = "the sensor told of another attribute table while the request ran"
        continue
      // A link that ends before the timer owes nothing.
      default: continue
      }
      if subject.standings[index].isOverlapping || subject.standings[index].isAborted { continue }
      let waited = watchedUntil(index, history, subject) - procedure.lastActivity
      if !staysOn(index, history, subject) {
        reason = Self.turnedOff
      } else if waited < Self.limit {
        reason = "the capture or the link ends \(durationText(waited)) after the last sign of life of a request"
      } else if subject.hidesPDUs {
        reason = "the logger cut packets so short that a result may be among them"
      } else if subject.isHeldUp(procedure, history) {
        reason = "the sensor had to wait for the confirmation of an earlier indication"
      } else if !subject.subscriptions.isOn(
        .recordAccess,
        within: procedure.controlPoint...procedure.controlPoint,
        at: procedure.request
      ) {
        reason = "the capture does not show whether indications of the control point were on"
      } else {
        owed.append(index)
      }
    }
    guard isJudged else { return .notApplicable }
    if owed.isEmpty && late.isEmpty { return reason.map { .inconclusive($0) } ?? .pass }
    return .fail(
      RequestCase.grouped(owed, subject).map { finding($0, history, subject) }
        + RequestCase.grouped(late, subject).map { tooLate($0, history, subject) }
    )
  }

  private static let turnedOff = "the collector turned the indications of the control point off before the result"

  /// False where the collector turned off, or may have, the indication that the sensor owes it: what counts is the moment
  /// at which it would have to be sent.
  private func staysOn(_ index: Int, _ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> Bool {
    let procedure = history.procedures[index]
    let next = subject.surroundings[index].nextAccepted.map { history.procedures[$0].request }
    let end = procedure.result ?? next ?? UInt32(history.pdus.count)
    return subject.subscriptions.staysOn(.recordAccess, from: procedure.request, until: end)
  }

  /// The longest time without a sign of life before a record or the result, and the frame that ended it.
  private func stall(_ procedure: Procedure, _ history: borrowing LinkHistory) -> (length: Int64, frame: UInt32) {
    guard let answer = procedure.answer else { return (0, 0) }
    var longest = (length: procedure.gaps.longest, frame: procedure.gaps.longestFrame)
    if let result = procedure.result, let before = procedure.gaps.beforeResult, before > longest.length {
      longest = (before, history.frame(result))
    }
    // Until the first sign of life the timer runs from the Write Response.
    if procedure.contexts == 0 || procedure.firstRecord != nil, let first = procedure.firstRecord ?? procedure.result,
      history.time(first) - history.time(answer) > longest.length
    {
      longest = (history.time(first) - history.time(answer), history.frame(first))
    }
    return longest
  }

  private func tooLate(
    _ found: RequestCase,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let index = found.procedures[0]
    let procedure = history.procedures[index]
    let stall = stall(procedure, history)
    return finding(
      found,
      history,
      further: [stall.frame],
      message: "no record and no result for \(subject.quoted(index)) in \(durationText(stall.length))"
        + (found.procedures.count > 1 ? ", \(timesText(found.procedures.count))" : "")
        + ": what came afterwards came too late",
      evidence: [
        "the next sign of life is frame \(stall.frame)",
        "after 30 s a collector has to take the procedure for failed",
      ]
    )
  }

  /// The next request on the control point after the timer, else the end of what is known of the link.
  private func watchedUntil(
    _ index: Int,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Int64 {
    if let next = subject.surroundings[index].nextAccepted { return history.procedures[next].startTime }
    return subject.watchedUntil
  }

  private func finding(
    _ found: RequestCase,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let index = found.procedures[0]
    let procedure = history.procedures[index]
    let waited = watchedUntil(index, history, subject) - procedure.lastActivity
    let came = countText(Int(procedure.records), "record")
    let refused = history.procedures[(index + 1)...].contains {
      if case .refused = $0.outcome { return true }
      return false
    }
    return finding(
      found,
      history,
      further: found.procedures.compactMap {
        (history.procedures[$0].lastRecord ?? history.procedures[$0].answer).map { history.frame($0) }
      },
      message: "no result for \(subject.quoted(index)) in \(durationText(waited)) after "
        + (procedure.records > 0 ? "its last record (\(came))" : "its Write Response")
        + (found.procedures.count > 1 ? ", \(timesText(found.procedures.count))" : "")
        + (refused ? ", after another request was answered with an error" : ""),
      evidence: [
        procedure.answer.map { "accepted in frame \(history.frame($0))" } ?? "not answered",
        procedure.lastRecord.map { "last of \(came) in frame \(history.frame($0))" } ?? "no record came",
        "the link was up for \(durationText(waited)) more; the timer of the profile is 30 s",
      ]
    )
  }

  /// A finding about the requests of a case, and the further frames that show it.
  private func finding(
    _ found: RequestCase,
    _ history: borrowing LinkHistory,
    further: [UInt32],
    message: String,
    evidence: [String]
  ) -> Finding {
    Finding(
      "RACP-004",
      .error,
      .sensor,
      .certain,
      link: history.number,
      procedure: found.procedures[0],
      otherProcedures: Array(found.procedures.dropFirst()),
      frames: found.procedures.map { history.frame(history.procedures[$0].request) } + further,
      time: history.procedures[found.procedures[0]].startTime,
      key: hex(found.octets),
      message: message,
      evidence: evidence
    )
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// APP-003: the collector ends the link while a report runs and has gone quiet.
public struct EndTakenFromSilence: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "APP-003",
    name: "end-taken-from-silence",
    summary: "the collector leaves while a report is running, after a pause it seems to take for the end",
    rationale: """
      Only the indication on the control point says that all records have come. A sensor may pause for seconds \
      between two records and is right to: what it sends after the collector has gone is lost to this collection, \
      and a collector that moves its mark past it never asks again.
      """,
    remedy: """
      Keep the link until the indication with the result has come and is confirmed, or until 30 s have passed \
      without a record. Treat what came of an unfinished report as incomplete and ask again from the first missing \
      number.
      """,
    clause: "GLP 4.7.3, GLP 4.7.5 (C9, C12)",
    needs: [.bothDirections, .noLoss, .end, .steadyClock],
    explains: ["RACP-004"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "the collector leaves 300 ms after the last record it saw",
        "silence",
        [
          .firstArrival, .ask(answer: 12), .report(.all), .accept, .records(1...12), .wait(milliseconds: 300),
          .marked(.disconnect()),
        ]
      ),
      RuleExample(
        .warning,
        "the result comes after the pause and finds nobody who confirms it",
        "silence-then-result",
        [
          .firstArrival, .report(.all), .accept, .records(1...12), .wait(milliseconds: 600),
          .result(.report, .success), .wait(milliseconds: 100), .marked(.disconnect()),
        ]
      ),
      RuleExample(
        .note,
        "the collector leaves while records are coming",
        "mid-transfer",
        [.firstArrival, .report(.all), .accept, .records(1...5), .marked(.disconnect())]
      ),
      RuleExample(
        .note,
        "the collector leaves while the result is on its way",
        "result-crosses",
        [
          .firstArrival, .report(.all), .accept, .records(1...12), .unheard(from: .sensor, .result(.report, .success)),
          .marked(.disconnect()),
        ]
      ),
      RuleExample(
        .note,
        "the collector leaves while the sensor accepts the request",
        "response-crosses",
        [.firstArrival, .report(.all), .unheard(from: .sensor, .accept), .marked(.disconnect())]
      ),
      RuleExample(
        .note,
        "the collector leaves while the sensor tells that it has no records",
        "nothing-crosses",
        [
          .firstArrival, .report(.all), .accept, .unheard(from: .sensor, .result(.report, .noRecordsFound)),
          .marked(.disconnect()),
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "a pause of 20 s, and the collector waits",
        "long-pause",
        [
          .firstArrival, .report(.all), .accept, .records(1...6), .wait(milliseconds: 20_000), .records(7...12),
          .result(.report, .success), .confirm, .farewell,
        ]
      ).alongside("RACP-021"),
      RuleExample(
        "the collector gives up after 30 s",
        "timeout",
        [.firstArrival, .report(.all), .accept, .records(1...6), .wait(milliseconds: 30_500), .disconnect()]
      ),
      RuleExample(
        "the radio link is lost",
        "link-loss",
        [.firstArrival, .report(.all), .accept, .records(1...6), .wait(milliseconds: 2000), .linkLoss]
      ).alongside("CONN-004"),
      RuleExample(
        "the sensor ends the link",
        "sensor-leaves",
        [
          .firstArrival, .report(.all), .accept, .records(1...6), .wait(milliseconds: 300),
          .disconnect(.sensor, reason: 0x13),
        ]
      ).alongside("CONN-002"),
      RuleExample(
        "the collector has asked to abort",
        "abort-and-leave",
        [
          .firstArrival, .report(.all), .accept, .records(1...6), .abort, .accept, .wait(milliseconds: 300),
          .disconnect(),
        ]
      ),
    ]
  }

  /// Shorter silence cannot be told from leaving in mid-transfer. Microseconds.
  private static let leastSilence: Int64 = 100_000
  /// From here on the collector waited as long as the profile asks. Microseconds.
  private static let timeout: Int64 = 29_000_000

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard let sensor = history.sensor else { return .notApplicable }
    let reports = history.procedures.indices.filter {
      let procedure = history.procedures[$0]
      return procedure.opCode == .report && procedure.server == sensor
    }
    guard !reports.isEmpty else { return .notApplicable }
    let all = reports.filter { wasLeft($0, history, subject) }
    let isWhole = subject.facts.contains(.whole)
    if !isWhole, all.contains(where: { subject.standings[$0].isOverlapping }) {
      return .inconclusive("the logger cut packets, and of two requests nothing tells which one a result ended")
    }
    let left = all.filter { !mayBeOff($0, history, subject) }
    if let index = left.first, let finding = finding(index, Array(left.dropFirst()), history, subject) {
      return .fail([finding])
    }
    if !all.isEmpty { return .inconclusive("the capture does not show whether records were turned on") }
    return reports.contains { needsTheEnd($0, history) } ? .pass : .passWithout([.end, .steadyClock])
  }

  /// True where what came of the report depends on how the link ended.
  private func needsTheEnd(_ index: Int, _ history: borrowing LinkHistory) -> Bool {
    let procedure = history.procedures[index]
    switch procedure.outcome {
    case .running, .captureEnded, .disconnected: return true
    default: return procedure.result != nil && procedure.confirmation == nil
    }
  }

  /// True where the collector went while the report ran, or just after a result that it did not take: for the sensor's
  /// host such a result may have crossed the end of the link, for the collector's it never came.
  private func wasLeft(_ index: Int, _ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> Bool {
    let procedure = history.procedures[index]
    // A result that was taken is the end.
    if procedure.confirmation != nil && !wasTakenTooLate(procedure, history, subject) { return false }
    guard history.end.cause == .disconnected, let side = history.end.endedBy, side == procedure.server.other else {
      return false
    }
    let left = subject.departure.time
    if case .disconnected = procedure.outcome {
      let wasAborted = history.procedures[(index + 1)...].contains {
        if case .refused = $0.outcome { return false }
        return $0.opCode == .abort && $0.controlPoint == procedure.controlPoint && $0.server == procedure.server
      }
      if wasAborted { return false }
      // The Write Response may have crossed the end of the link: the sensor's host has sent it, the other has none.
      let hasBegun = procedure.answer != nil || procedure.records > 0
      return left - procedure.lastActivity < (hasBegun ? Self.timeout : history.crossing)
    }
    guard let result = procedure.result, procedure.outcome != .aborted else { return false }
    let isLast = !history.procedures[(index + 1)...].contains {
      $0.controlPoint == procedure.controlPoint && $0.server == procedure.server
    }
    // A result that is older was there to be taken: that it is unconfirmed has another cause.
    return isLast && left - history.time(result) < history.crossing
      && quiet(procedure, until: result, history) < Self.timeout
      && (procedure.confirmation != nil || procedure.hasUnconfirmedResult(history))
  }

  /// True where the collector's host had given the order to end the link before the result came, and its stack's
  /// confirmation was not acknowledged any more: the sensor's host sees none.
  private func wasTakenTooLate(
    _ procedure: Procedure,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Bool {
    guard let result = procedure.result, let confirmation = procedure.confirmation,
      history.end.endedBy == .local, history.frame(result) > subject.departure.frame,
      history.counts.completedFragments > 0, history.counts.completedFragments < history.counts.sentFragments
    else { return false }
    return !history.pdus[(Int(confirmation) + 1)...].contains { !$0.isReceived }
  }

  /// True where nothing came and the reason may be a subscription that the capture does not show.
  private func mayBeOff(_ index: Int, _ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> Bool {
    let procedure = history.procedures[index]
    return procedure.records == 0
      && subject.subscriptions.state(of: .glucoseMeasurement, at: procedure.request) == .unknown
      && !subject.subscriptions.isOn(.glucoseMeasurement, at: procedure.request)
  }

  /// True where the collector turned the indications of the control point off while a report ran.
  private func turnsOffResult(_ procedure: Procedure, _ subject: borrowing LinkSubject) -> Bool {
    !subject.subscriptions.staysOn(.recordAccess, from: procedure.request, until: procedure.result ?? .max)
  }

  /// How long nothing of a report had come before its result.
  private func quiet(_ procedure: Procedure, until result: UInt32, _ history: borrowing LinkHistory) -> Int64 {
    if let pause = procedure.gaps.beforeResult { return pause }
    return history.time(result) - history.time(procedure.answer ?? procedure.request)
  }

  private func threshold(_ procedure: Procedure) -> Int64 { max(Self.leastSilence, 3 * procedure.gaps.median) }

  private func finding(
    _ index: Int,
    _ others: [Int],
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding? {
    let procedure = history.procedures[index]
    let left = subject.departure
    let request = history.pdus[Int(procedure.request)]
    let last = procedure.lastRecord ?? procedure.answer ?? procedure.request
    let silence = max(0, left.time - history.pdus[Int(last)].time)
    let quiet = procedure.result.map { self.quiet(procedure, until: $0, history) }
    let isAnswered = procedure.answer != nil || procedure.records > 0
    // A collector that turns off what comes takes nothing for the end: the silence is its own.
    let isOn = subject.wantsRecords(of: index, until: .max, history) && !turnsOffResult(procedure, subject)
    let isSilence = isAnswered && isOn && (quiet ?? (left.time - procedure.lastActivity)) >= threshold(procedure)
    var frames = [left.frame, history.pdus[Int(last)].frame, request.frame]
    if let result = procedure.result { frames.append(history.pdus[Int(result)].frame) }
    return Finding(
      "APP-003",
      isSilence ? .warning : .note,
      .collector,
      .likely,
      link: history.number,
      procedure: index,
      otherProcedures: others,
      frames: frames,
      time: left.time,
      key: hex(history.value(request).copied()) + " " + lastNumber(procedure),
      message: message(procedure, request, silence: silence / 1000, isSilence, history),
      evidence: evidence(index, left.frame, last, history)
    )
  }

  /// The highest number that came; a clipped record counts without telling its number.
  private func lastNumber(_ procedure: Procedure) -> String {
    procedure.sequences.maximum.map { "to \($0)" } ?? (procedure.records == 0 ? "nothing" : "unread")
  }

  private func message(
    _ procedure: Procedure,
    _ request: AttributePDU,
    silence: Int64,
    _ isSilence: Bool,
    _ history: borrowing LinkHistory
  ) -> String {
    let what = RecordAccessRequest(decoding: history.value(request), dialect: procedure.dialect).summary
    let came = "\(procedure.records) record\(procedure.records == 1 ? "" : "s")"
    let first = procedure.answer == nil ? "the request" : "the Write Response"
    let since = procedure.records == 0 ? first : "the last record"
    if let result = procedure.result {
      let fate = procedure.confirmation == nil ? "was not confirmed" : "was confirmed too late to arrive"
      return "left \(silence) ms after \(since) of \"\(what)\" (\(came)); "
        + "its result came after \(quiet(procedure, until: result, history) / 1000) ms and \(fate)"
    }
    return isSilence
      ? "left \(silence) ms after \(since) of \"\(what)\" (\(came)) without its result"
      : "left in the middle of \"\(what)\" after \(came), \(silence) ms after \(since)"
  }

  private func evidence(
    _ index: Int,
    _ left: UInt32,
    _ last: UInt32,
    _ history: borrowing LinkHistory
  ) -> [String] {
    let procedure = history.procedures[index]
    let lastFrame = history.pdus[Int(last)].frame
    var lines = [
      procedure.records > 0
        ? "last record in frame \(lastFrame)"
        : procedure.answer == nil
          ? "no record and no answer to frame \(lastFrame)" : "no record; answered in frame \(lastFrame)",
      "link ended by the collector in frame \(left)",
      "median pause between records \(procedure.gaps.median / 1000) ms",
    ]
    if let counted = counted(index, history) {
      lines.append("\(procedure.records - procedure.duplicates) of \(counted) counted records had come")
    }
    return lines
  }

  /// The answer to the last count with the same operand before the report.
  private func counted(_ index: Int, _ history: borrowing LinkHistory) -> UInt32? {
    let wanted = history.value(history.pdus[Int(history.procedures[index].request)]).copied().dropFirst()
    for other in history.procedures[..<index].reversed() {
      guard case .count(let number) = other.outcome, other.controlPoint == history.procedures[index].controlPoint
      else { continue }
      if history.value(history.pdus[Int(other.request)]).copied().dropFirst() == wanted { return number }
    }
    return nil
  }
}

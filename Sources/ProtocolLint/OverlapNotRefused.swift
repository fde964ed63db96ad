import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-002: the sensor accepts a request while another procedure runs.
public struct OverlapNotRefused: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-002",
    name: "overlap-not-refused",
    summary: "the sensor accepts a request while another procedure is running, instead of refusing it with 0x80",
    rationale: """
      Two procedures that run side by side send their records interleaved. The collector gets records twice or out \
      of order and two results it cannot assign, and nothing on the link tells it so.
      """,
    remedy: """
      Sensor: answer any request but Abort with the ATT error 0x80 (procedure already in progress) until the result \
      of the running procedure has been indicated.
      """,
    clause: "GLS 3.4.4 (S27)",
    needs: [.bothDirections, .noLoss],
    explains: [
      "RACP-004", "RACP-007", "RACP-008", "RACP-009", "RACP-010", "RACP-023", "RACP-024", "RACP-027", "RACP-028",
      "SEQ-001", "SEQ-003", "SEQ-004", "SEQ-010", "SEQ-011", "CLK-011", "APP-003",
    ]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "the sensor carries out a second report beside the first",
        "second-report-accepted",
        [
          .firstArrival, .report(.all), .accept, .records(1...3), .report(.all), .marked(.accept), .record(4),
          .record(1), .record(5), .record(2), .result(.report, .success), .confirm, .records(3...5),
          .result(.report, .success), .confirm, .farewell,
        ]
      ).alongside("RACP-001"),
      RuleExample(
        .error,
        "a count is answered in the middle of a report",
        "count-accepted",
        [
          .firstArrival, .report(.all), .accept, .records(1...3), .count(.all), .marked(.accept), .counted(6), .confirm,
          .records(4...6), .result(.report, .success), .confirm, .farewell,
        ]
      ).alongside("RACP-001"),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the sensor refuses the second request",
        "second-report-refused",
        [
          .firstArrival, .report(.all), .accept, .records(1...3), .report(.all), .refuse(error: 0x80), .records(4...6),
          .result(.report, .success), .confirm, .farewell,
        ]
      ).alongside("RACP-001"),
      RuleExample(
        "an abort is accepted at any time",
        "abort-accepted",
        [
          .firstArrival, .report(.all), .accept, .records(1...3), .abort, .accept, .result(.abort, .success), .confirm,
          .farewell,
        ]
      ),
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard !history.procedures.isEmpty else { return .notApplicable }
    var accepted: [Int] = []
    var isHidden = false
    for index in history.procedures.indices {
      let procedure = history.procedures[index]
      guard procedure.opCode != .abort, procedure.overlaps != nil, let answer = procedure.answer,
        history.pdus[Int(answer)].opcode.saysWritten
      else { continue }
      // A sensor that owes the result of a timed-out procedure owes that of the abort after it for the same reason.
      if let other = procedure.overlaps.map(Int.init), subject.isAbortOfExpired(other, history) { continue }
      // No result can come where indications are off: nothing tells whether the first one still runs.
      if let other = procedure.overlaps.map(Int.init),
        subject.hidesResult(of: other, until: procedure.request, history)
      {
        isHidden = true
        continue
      }
      accepted.append(index)
    }
    var findings: [Finding] = []
    for found in RequestCase.grouped(accepted, subject) {
      if let finding = finding(found, history, subject) { findings.append(finding) }
    }
    if findings.isEmpty && isHidden {
      return .inconclusive("indications were off: the end of the procedure before cannot be seen")
    }
    return findings.isEmpty ? .pass : .fail(findings)
  }

  /// What came of the two. Records that come while both run cannot be told apart, unless only one of them has any.
  private func consequence(
    _ procedure: Procedure,
    _ running: Procedure,
    _ history: borrowing LinkHistory
  ) -> String {
    let records = procedure.records + running.records
    // Where both ask for the same, the first result is taken for the first of them.
    for outcome in [procedure.outcome, running.outcome] {
      if case .failed(let value) = outcome { return "one of the two got a result, \(value.name), instead of an error" }
    }
    switch procedure.outcome {
    case .noRecords: return "it answered the second with no records found"
    case .count(let number): return "it answered the second with a count of \(number)"
    default: break
    }
    if records == 0 && HiddenTraffic(history)?.hidesValues ?? false {
      return "which records came is not in the capture"
    }
    guard procedure.opCode == .report && running.opCode == .report && records > 0 else {
      return "\(countText(Int(records), "record")) came"
    }
    let isMixed = procedure.duplicates + running.duplicates > 0
    return "\(countText(Int(records), "record")) came from the two" + (isMixed ? ", mixed" : "")
  }

  private func finding(
    _ found: RequestCase,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding? {
    let procedure = history.procedures[found.procedures[0]]
    guard let answer = procedure.answer, let other = procedure.overlaps.map(Int.init) else { return nil }
    let running = history.procedures[other]
    let count = found.procedures.count
    return Finding(
      "RACP-002",
      .error,
      .sensor,
      .certain,
      link: history.number,
      procedure: found.procedures[0],
      otherProcedures: [other] + found.procedures.dropFirst(),
      frames: [history.frame(answer)]
        + found.procedures.flatMap { index in
          let other = history.procedures[index]
          return [other.answer ?? other.request, other.request, running.request].map { history.frame($0) }
        },
      time: history.time(answer),
      key: hex(found.octets) + " during " + hex(subject.requests[other].octets),
      message: "accepted \(subject.quoted(found.procedures[0]))\(count == 1 ? "" : " \(count) times") "
        + "\(durationText(history.time(answer) - history.time(running.request))) after \(subject.quoted(other)), "
        + "which was still running; " + consequence(procedure, running, history),
      evidence: [
        "request in frame \(history.frame(running.request)): \(subject.requests[other].summary)",
        "request in frame \(history.frame(procedure.request)): \(subject.requests[found.procedures[0]].summary)",
        "Write Response in frame \(history.frame(answer)) instead of error 0x80",
      ]
    )
  }
}

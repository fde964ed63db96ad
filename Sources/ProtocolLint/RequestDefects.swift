import BluetoothWire
import HealthProfiles
import LinkTrace

/// What the two rules about malformed requests share: one finding for each distinct request.
enum RequestDefects {
  static func check(
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject,
    _ rule: RuleIdentifier,
    where isWrong: (RecordAccessRequest) -> Bool,
    describe: (RecordAccessRequest) -> String
  ) -> RuleOutcome {
    var wrong: [Int] = []
    var isJudged = false
    for index in history.procedures.indices where history.procedures[index].dialect == .health {
      isJudged = true
      if isWrong(subject.requests[index]) { wrong.append(index) }
    }
    guard isJudged else { return .notApplicable }
    if wrong.isEmpty { return .pass }
    return .fail(
      RequestCase.grouped(wrong, subject).map {
        finding($0, rule, describe(subject.requests[$0.procedures[0]]), history, subject)
      }
    )
  }

  private static func finding(
    _ found: RequestCase,
    _ rule: RuleIdentifier,
    _ hint: String,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let index = found.procedures[0]
    let procedure = history.procedures[index]
    return Finding(
      rule,
      .error,
      .collector,
      .certain,
      link: history.number,
      procedure: index,
      otherProcedures: Array(found.procedures.dropFirst()),
      frames: found.procedures.map { history.frame(history.procedures[$0].request) },
      time: procedure.startTime,
      key: hex(found.octets),
      message: "\"\(octetText(found.octets))\" written \(timesText(found.procedures.count)): "
        + "\(subject.requests[index].summary); \(hint)",
      evidence: [answer(procedure, history)]
    )
  }

  private static func answer(_ procedure: Procedure, _ history: borrowing LinkHistory) -> String {
    if case .refused(let error) = procedure.outcome {
      let isGlucose = procedure.source != .continuousGlucose
      return "the sensor refused it with \(refusalText(error, isGlucose: isGlucose))"
    }
    guard let result = procedure.result else { return "no result in the capture" }
    let octets = history.value(history.pdus[Int(result)]).copied()
    return "the sensor answered \(octetText(octets)) in frame \(history.frame(result))"
  }
}

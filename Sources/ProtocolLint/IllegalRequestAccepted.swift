import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-014: a malformed request is carried out.
public struct IllegalRequestAccepted: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-014",
    name: "illegal-request-accepted",
    summary: "the sensor carries out a request that it must refuse",
    rationale: """
      A sensor that guesses what a malformed request means hides the fault of the app, which then fails with every \
      other meter; with a delete it loses records that nobody meant.
      """,
    remedy: """
      Sensor: check op code, operator, filter and length before anything else, and indicate 06 with the request's op \
      code and the value that GLS 3.4.4 gives.
      """,
    clause: "GLS 3.4.4 (S26)",
    needs: [.bothDirections, .noLoss, .whole]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "an operand with all records, and all records come",
        "operand-ignored",
        [
          .firstArrival, .write(.recordAccess, [0x01, 0x01, 0x00]), .accept, .records(1...6),
          .marked(.result(.report, .success)), .confirm, .farewell,
        ]
      ).alongside("RACP-011"),
      RuleExample(
        .error,
        "a reserved operator is counted",
        "reserved-operator-counted",
        [
          .firstArrival, .write(.recordAccess, [0x04, 0x07]), .accept, .marked(.counted(6)), .confirm,
          .fetch(.all, 1...6), .farewell,
        ]
      ).alongside("RACP-012"),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "an operand with all records is refused",
        "operand-refused",
        [
          .firstArrival, .write(.recordAccess, [0x01, 0x01, 0x00]), .accept, .result(.report, .invalidOperand),
          .confirm, .fetch(.all, 1...6), .farewell,
        ]
      ).alongside("RACP-011")
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    var accepted: [Int] = []
    var isJudged = false
    var isDoubtful = false
    for index in history.procedures.indices where history.procedures[index].dialect == .health {
      let procedure = history.procedures[index]
      guard history.wasAccepted(procedure) else { continue }
      isJudged = true
      // What the specification does not give an answer for, it does not forbid to accept.
      guard subject.requests[index].defect?.expectedResponse != nil else { continue }
      guard isCarriedOut(procedure) else { continue }
      if subject.standings[index].isClear && !subject.standings[index].mayInheritRecords {
        accepted.append(index)
      } else {
        isDoubtful = true
      }
    }
    guard isJudged else { return .notApplicable }
    if accepted.isEmpty {
      return isDoubtful ? .inconclusive("the answer may belong to another procedure") : .pass
    }
    return .fail(RequestCase.grouped(accepted, subject).map { finding($0, history, subject) })
  }

  private func isCarriedOut(_ procedure: Procedure) -> Bool {
    if procedure.resultNamesOther { return false }
    switch procedure.outcome {
    case .success, .count: return true
    default: return procedure.records > 0
    }
  }

  private func finding(
    _ found: RequestCase,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let index = found.procedures[0]
    let procedure = history.procedures[index]
    let due = subject.requests[index].defect?.expectedResponse
    return found.finding(
      "RACP-014",
      .error,
      .sensor,
      .certain,
      message: "carried out \"\(octetText(found.octets))\", \(subject.requests[index].summary), "
        + "with \(countText(Int(procedure.records), "record"))"
        + (procedure.result == nil ? "" : " and the result \(octetText(history.resultOctets(procedure)))"),
      evidence: [
        "request in frame \(history.frame(procedure.request))",
        due.map { "due is 0600\(octetText(found.octets.prefix(1)))\(octetText([$0.octet()])), \($0.name)" }
          ?? "it must be refused",
      ],
      history
    ) { $0.result ?? $0.firstRecord ?? $0.request }
  }
}

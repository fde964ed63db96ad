import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-029: a request is refused with the wrong value.
public struct WrongResponseValue: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-029",
    name: "wrong-response-value",
    summary: "the sensor answers a request with another value than the specification gives for the case",
    rationale: """
      An app decides by the value what to try next: another operator, another filter, or nothing. "No records found" \
      as the answer to a count is an error to an app that expects a number.
      """,
    remedy: """
      Sensor: 02 for an op code that is reserved or that it lacks, 03 for a missing operator, 04 for an operator that is \
      reserved or that it lacks, 05 for a wrong operand, 09 for such a filter; for a count of none 05 00 00 00.
      """,
    clause: "GLS 3.4.4, GLS 3.4.3.2 (S20, S26)",
    needs: [.bothDirections, .noLoss, .whole]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "a count that finds nothing",
        "count-of-none",
        [
          .firstArrival, .count(.atLeast(7)), .accept, .marked(.result(.count, .noRecordsFound)), .confirm,
          .fetch(.all, 1...6), .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "a reserved filter is called an invalid operator",
        "reserved-filter",
        [
          .firstArrival, .write(.recordAccess, [0x01, 0x03, 0x05, 0x01, 0x00]), .accept,
          .marked(.result(.report, .invalidOperator)), .confirm, .fetch(.all, 1...6), .farewell,
        ]
      ).alongside("RACP-011"),
      RuleExample(
        .warning,
        "the report ends with a value that is reserved",
        "reserved-value",
        [
          .firstArrival, .report(.all), .accept, .records(1...6),
          .marked(.indicate(.recordAccess, [0x06, 0x00, 0x01, 0x00])), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "a sequence number from which on to report is called an invalid operand",
        "legal-operand",
        [
          .firstArrival, .fetch(.all, 1...6), .report(.atLeast(7)), .accept,
          .marked(.result(.report, .invalidOperand)), .confirm, .fetch(.last, 6...6), .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "a report up to a number is refused as an op code that the sensor had just carried out",
        "op-code-carried-out",
        [
          .firstArrival, .fetch(.all, 1...6), .report(.atMost(3)), .accept,
          .marked(.result(.report, .opCodeNotSupported)), .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "a count of none is the number 0",
        "count-is-zero",
        [.firstArrival, .ask(.atLeast(7), answer: 0), .fetch(.all, 1...6), .farewell]
      ),
      RuleExample(
        "a reserved filter is not supported",
        "filter-not-supported",
        [
          .firstArrival, .write(.recordAccess, [0x01, 0x03, 0x05, 0x01, 0x00]), .accept,
          .result(.report, .operandNotSupported), .confirm, .fetch(.all, 1...6), .farewell,
        ]
      ).alongside("RACP-011"),
      RuleExample(
        "an optional operator is not supported",
        "operator-not-supported",
        [
          .firstArrival, .fetch(.all, 1...6), .report(.atMost(3)), .accept, .result(.report, .operatorNotSupported),
          .confirm, .farewell,
        ]
      ),
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    var wrong: [Int] = []
    var isJudged = false
    var reason: String?
    for index in history.procedures.indices where history.procedures[index].dialect == .health {
      let procedure = history.procedures[index]
      guard procedure.result != nil else { continue }
      isJudged = true
      guard !procedure.resultNamesOther else { continue }
      if !isWrong(index, history, subject) {
        if history.start == nil && Self.lacksOpCode(index, history, subject) {
          reason = "whether the op code was carried out before the capture began is not known"
        }
        continue
      }
      if subject.standings[index].isClear {
        wrong.append(index)
      } else {
        reason = "the result may answer another request"
      }
    }
    guard isJudged else { return .notApplicable }
    if wrong.isEmpty { return reason.map { .inconclusive($0) } ?? .pass }
    return .fail(RequestCase.grouped(wrong, subject).map { finding($0, history, subject) })
  }

  private func isWrong(_ index: Int, _ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> Bool {
    let procedure = history.procedures[index]
    let request = subject.requests[index]
    if procedure.outcome == .noRecords && procedure.opCode == .count { return true }
    if Self.isReserved(procedure.outcome) || Self.isUnfounded(procedure, request) { return true }
    if Self.carriedOut(index, history, subject) != nil { return true }
    guard let defect = request.defect, let due = defect.expectedResponse else { return false }
    switch procedure.outcome {
    case .noRecords: return true
    case .failed(let value): return value != due && !isExcused(value, request, defect)
    default: return false
    }
  }

  /// True for a value that the specification gives to nothing.
  private static func isReserved(_ outcome: Procedure.Outcome) -> Bool {
    guard case .failed(.unknown) = outcome else { return false }
    return true
  }

  /// True where an operator or operand is called invalid that is legal in the service it was sent to. User-facing times
  /// may be no dates, and other services use no filters.
  private static func isUnfounded(_ procedure: Procedure, _ request: RecordAccessRequest) -> Bool {
    guard case .failed(let value) = procedure.outcome, value == .invalidOperator || value == .invalidOperand,
      request.isWellFormed, procedure.source == .glucose || procedure.source == .continuousGlucose
    else { return false }
    switch request.selection {
    case .all, .atMost, .atLeast, .within, .first, .last: return true
    case .until, .since, .between: return false
    case nil: return request.opCode == .abort
    }
  }

  /// True where a request is refused as if the sensor lacked its op code. What each sensor must support is another rule's.
  private static func lacksOpCode(
    _ index: Int,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Bool {
    let request = subject.requests[index]
    guard case .failed(.opCodeNotSupported) = history.procedures[index].outcome else { return false }
    // Where the service is not known it may be the one that must support more.
    let mayBeGlucose = subject.isGlucose || history.procedures[index].source == .unknown
    return request.isWellFormed && request.opCode != .abort
      && !MandatoryRequestRefused.isMandatory(request, mayBeGlucose)
  }

  /// Another request of the same op code that was carried out, where this one is refused as if the sensor lacked the op
  /// code: what it lacks is the operator or the filter.
  private static func carriedOut(
    _ index: Int,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Int? {
    guard lacksOpCode(index, history, subject) else { return nil }
    let procedure = history.procedures[index]
    return history.procedures.indices.first { other in
      let done = history.procedures[other]
      guard done.opCode == procedure.opCode, done.controlPoint == procedure.controlPoint, !done.resultNamesOther,
        done.dialect == .health, subject.requests[other].isWellFormed, subject.standings[other].isClear
      else { return false }
      switch done.outcome {
      case .success, .noRecords, .count: return true
      default: return false
      }
    }
  }

  /// Of two faults in one request either may be named; what is optional may be refused before it is read.
  private func isExcused(
    _ value: RecordAccessResponseValue,
    _ request: RecordAccessRequest,
    _ defect: RecordAccessRequest.Defect
  ) -> Bool {
    switch value {
    case .procedureNotCompleted, .serverBusy, .abortUnsuccessful: return true
    case .opCodeNotSupported: return request.opCode == .delete || request.opCode == .combinedReport
    case .operatorNotSupported:
      switch request.operator {
      case .all, .greaterThanOrEqual: return request.opCode == .delete
      case .null: return request.opCode == .abort
      default: return true
      }
    case .invalidOperator:
      guard case .opCode = defect else { return false }
      switch request.operator {
      case .null, .unknown, nil: return true
      default: return false
      }
    case .invalidOperand:
      if case .reservedFilter = defect { return ![3, 5, 8, 15].contains(request.octets.count - 2) }
      return request.octets.count > 2
    case .operandNotSupported:
      guard request.octets.count > 2 else { return false }
      switch request.filter {
      case .userFacingTime, .unknown: return true
      default: return false
      }
    default: return false
    }
  }

  private func finding(
    _ found: RequestCase,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let index = found.procedures[0]
    let procedure = history.procedures[index]
    let octets = history.resultOctets(procedure)
    let isCount = procedure.outcome == .noRecords && procedure.opCode == .count
    let request = subject.requests[index]
    let carriedOut = Self.carriedOut(index, history, subject)
    let wanted: String
    if let due = request.defect?.expectedResponse {
      wanted = "\(octetText([due.octet()])) (\(due.name))"
    } else if isCount {
      wanted = "05 00 and the number of records, 05000000 for none"
    } else if carriedOut != nil {
      wanted = "04 (operator not supported), or 09 (operand not supported) for a filter"
    } else {
      wanted = "the result of a request that is well formed, or 04 or 09 where the sensor does not support it"
    }
    var answer = "\(octetText(octets)), \"\(RecordAccessResponse(octets: octets).summary)\""
    if case .failed(let value) = procedure.outcome { answer = "\(octetText([value.octet()])) (\(value.name))" }
    return found.finding(
      "RACP-029",
      isCount ? .error : .warning,
      .sensor,
      .certain,
      key: " answered " + hex(octets),
      message:
        "answered \(subject.quoted(index)) with \(answer); due is \(wanted)",
      evidence: [
        "request \(octetText(found.octets)) in frame \(history.frame(procedure.request))",
        "result \(octetText(octets)) in frame \(history.frame(procedure.result ?? procedure.request))",
      ]
        + (carriedOut.map {
          ["\(subject.quoted($0)) was carried out, asked for in frame \(history.frame(history.procedures[$0].request))"]
        } ?? []),
      history
    ) { $0.result ?? $0.request }
  }
}

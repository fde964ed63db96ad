import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-032: a request that each sensor must support is not supported.
public struct MandatoryRequestRefused: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-032",
    name: "mandatory-request-refused",
    summary: "the sensor does not support a request that is mandatory",
    rationale: """
      Apps fetch what is new with "from this number on", count before they fetch, and abort when the user cancels. \
      Without these they fetch the whole memory each time, or nothing.
      """,
    remedy: """
      Sensor: support report and count with all records and with sequence numbers from a minimum on, and abort.
      """,
    clause: "GLS 3.4.2 (S19)",
    needs: [.bothDirections, .noLoss, .whole],
    explains: ["APP-009"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "from a number on is not supported",
        "minimum-not-supported",
        [
          .firstArrival, .report(.atLeast(4)), .accept, .marked(.result(.report, .operatorNotSupported)), .confirm,
          .fetch(.all, 1...6), .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "an optional operator is not supported",
        "maximum-not-supported",
        [
          .firstArrival, .report(.atMost(4)), .accept, .result(.report, .operatorNotSupported), .confirm,
          .fetch(.atLeast(1), 1...6), .farewell,
        ]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    var refused: [Int] = []
    var isJudged = false
    var isDoubtful = false
    for index in history.procedures.indices where history.procedures[index].dialect == .health {
      let procedure = history.procedures[index]
      guard procedure.result != nil, Self.isMandatory(subject.requests[index], subject.isGlucose) else { continue }
      isJudged = true
      guard case .failed(let value) = procedure.outcome, !procedure.resultNamesOther else { continue }
      switch value {
      case .opCodeNotSupported: break
      case .operatorNotSupported, .operandNotSupported: if procedure.opCode == .abort { continue }
      default: continue
      }
      if subject.standings[index].isClear { refused.append(index) } else { isDoubtful = true }
    }
    guard isJudged else { return .notApplicable }
    if refused.isEmpty { return isDoubtful ? .inconclusive("the result may answer another request") : .pass }
    return .fail(
      RequestCase.grouped(refused, subject).map { found in
        let procedure = history.procedures[found.procedures[0]]
        let octets = history.resultOctets(procedure)
        return found.finding(
          "RACP-032",
          .error,
          .sensor,
          .certain,
          key: " answered " + hex(octets),
          message: "answered \(subject.quoted(found.procedures[0])), which is mandatory, with \(octetText(octets)), "
            + "\"\(RecordAccessResponse(octets: octets).summary)\"",
          evidence: ["request \(octetText(found.octets)) in frame \(history.frame(procedure.request))"],
          history
        ) { $0.result ?? $0.request }
      }
    )
  }

  /// Other services with this control point must only report all records.
  static func isMandatory(_ request: RecordAccessRequest, _ isGlucose: Bool) -> Bool {
    guard request.isWellFormed else { return false }
    if !isGlucose { return request.opCode == .report && request.selection == .all }
    switch request.opCode {
    case .abort: return true
    case .report, .count:
      switch request.selection {
      case .all, .atLeast: return true
      default: return false
      }
    default: return false
    }
  }
}

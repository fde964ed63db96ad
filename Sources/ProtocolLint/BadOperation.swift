import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-012: the op code or the operator of a request is none that a collector may use.
public struct BadOperation: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-012",
    name: "bad-operation",
    summary: "the collector writes an op code or operator to the control point that no request may have",
    rationale: """
      Reserved op codes and operators are refused, and nothing is fetched. Often the request was built as text: the \
      digits of a hexadecimal string were sent instead of the octets they stand for.
      """,
    remedy: """
      Use op code 01 report, 02 delete, 04 count with an operator from 01 to 06, and 03 00 without operand to abort. \
      Convert hexadecimal text to octets before it is written.
      """,
    clause: "GLP 4.7.2, GLP 4.7.3.5 (C7, C10)",
    needs: [.bothDirections, .noLoss, .whole],
    explains: ["RACP-013", "APP-001", "APP-009"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "the digits of a request as text",
        "hexadecimal-text",
        [
          .firstArrival, .marked(.write(.recordAccess, [0x30, 0x34, 0x30, 0x31])), .accept,
          .indicate(.recordAccess, [0x06, 0x00, 0x30, 0x02]), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "a report without an operator",
        "null-operator",
        [
          .firstArrival, .ask(answer: 6), .marked(.write(.recordAccess, [0x01, 0x00])), .accept,
          .result(.report, .invalidOperator), .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "a count, a report and an abort",
        "good-operations",
        [
          .firstArrival, .ask(answer: 6), .report(.all), .accept, .records(1...3), .abort, .accept,
          .result(.abort, .success), .confirm, .farewell,
        ]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    let isGlucose = subject.isGlucose
    return RequestDefects.check(history, subject, "RACP-012") { request in
      switch request.defect {
      // Newer services have a combined report.
      case .opCode(.combinedReport): isGlucose
      case .opCode, .wrongOperator, .reservedOperator, .tooShort: true
      case .unexpectedOperand: request.opCode == .abort
      case nil: request.opCode == .combinedReport && isGlucose
      default: false
      }
    } describe: { request in
      let isText =
        request.octets.count >= 4 && request.octets.count % 2 == 0
        && request.octets.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x46).contains($0 & 0xDF) }
      return isText
        ? "hex text \"\(String(decoding: request.octets, as: UTF8.self))\", not the octets it stands for"
        : "legal: 01, 02, 04 with operator 01 to 06; 03 with operator 00 and no operand"
    }
  }
}

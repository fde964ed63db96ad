import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-011: the operand does not fit the operator.
public struct BadOperand: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-011",
    name: "bad-operand",
    summary: "the collector sends a request whose operand does not fit its operator",
    rationale: """
      A sensor refuses such a request, and nothing is fetched; one that is lenient does what it guesses was meant. \
      The fault is in how the app builds the request and does not depend on the device.
      """,
    remedy: """
      Send no operand with all, first and last record; a filter octet and one bound with ≤ and ≥ (01 and 2 octets of \
      sequence number, or 02 and 7 octets of time); a filter octet and two bounds, the lower one first, with a range.
      """,
    clause: "GLP 4.7.2, GLP 4.7.3 (C7)",
    needs: [.bothDirections, .noLoss, .whole],
    explains: ["RACP-013", "APP-001", "APP-009"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "an operand with all records",
        "operand-with-all",
        [
          .firstArrival, .marked(.write(.recordAccess, [0x04, 0x01, 0x00])), .accept,
          .result(.count, .invalidOperand), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "a range whose minimum is above its maximum",
        "reversed-range",
        [
          .firstArrival, .ask(answer: 6), .marked(.report(.within(9, 3))), .accept, .result(.report, .invalidOperand),
          .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "a number, a range and no operand where none belongs",
        "good-operands",
        [.firstArrival, .ask(answer: 6), .fetch(.atLeast(1), 1...6), .fetch(.within(2, 4), 2...4), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    RequestDefects.check(history, subject, "RACP-011") { request in
      switch request.defect {
      case .reservedFilter, .operandLength, .minimumAboveMaximum: true
      case .unexpectedOperand: request.opCode != .abort
      default: false
      }
    } describe: { request in
      switch request.operator {
      case .lessThanOrEqual, .greaterThanOrEqual:
        "legal are 01 and a number of 2 octets, or 02 and a time of 7"
      case .withinRange: "legal are 01 and two numbers of 2 octets, or 02 and two times of 7, the lower one first"
      default: "no operand is legal here"
      }
    }
  }
}

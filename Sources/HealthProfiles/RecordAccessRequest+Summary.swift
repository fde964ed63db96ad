extension RecordAccessRequest {
  /// One line: `report ≥ 31`, `abort`, `malformed: 04 01 00 (operand with all records)`.
  public var summary: String {
    if let defect {
      return "malformed: " + (octets.isEmpty ? "" : spacedHex(octets) + " ") + "(" + reason(defect) + ")"
    }
    guard let selection else { return opCode.name }
    let text = opCode.name + " \(selection)"
    switch filter {
    case .referenceTimeEvents, .otherThanReferenceTimeEvents: return text + " (\(filter?.name ?? ""))"
    default: return text
    }
  }

  private func reason(_ defect: Defect) -> String {
    switch defect {
    case .tooShort: octets.isEmpty ? "empty" : "no operator"
    case .opCode(.unknown(let octet)): "reserved op code " + hexOctet(octet)
    case .opCode(let opCode): "op code of a " + opCode.name
    case .wrongOperator(let selector): selector.name + " operator with " + opCode.name
    case .reservedOperator(let octet): "reserved operator " + hexOctet(octet)
    case .reservedFilter(let octet): "reserved filter " + hexOctet(octet)
    case .unexpectedOperand: "operand with " + (self.operator == .null ? opCode.name : self.operator?.name ?? "")
    case .operandLength(let expected, let actual): "operand of \(actual) octets, \(expected) expected"
    case .minimumAboveMaximum: "minimum above maximum"
    }
  }
}

extension RecordAccessRequest.Defect {
  /// What the server must answer (GLS 3.4.4); nil where the specification does not say.
  public var expectedResponse: RecordAccessResponseValue? {
    switch self {
    case .tooShort: nil
    case .opCode: .opCodeNotSupported
    case .wrongOperator: .invalidOperator
    case .reservedOperator: .operatorNotSupported
    case .reservedFilter: .operandNotSupported
    case .unexpectedOperand, .operandLength, .minimumAboveMaximum: .invalidOperand
    }
  }
}

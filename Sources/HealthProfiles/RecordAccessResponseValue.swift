/// How a procedure ended (GLS 3.4.4, IDS).
public enum RecordAccessResponseValue: Hashable, Sendable {
  case success
  case opCodeNotSupported
  case invalidOperator
  case operatorNotSupported
  case invalidOperand
  case noRecordsFound
  case abortUnsuccessful
  case procedureNotCompleted
  case operandNotSupported
  /// Health dialect only.
  case serverBusy
  /// Insulin delivery only, where it has the number of "server busy".
  case notApplicable
  /// A value reserved in its dialect.
  case unknown(UInt8)

  public init(_ octet: UInt8, dialect: RecordAccessDialect = .health) {
    switch (dialect, octet) {
    case (.health, 0x01), (.insulinDelivery, 0xF0): self = .success
    case (_, 0x02): self = .opCodeNotSupported
    case (_, 0x03): self = .invalidOperator
    case (_, 0x04): self = .operatorNotSupported
    case (_, 0x05): self = .invalidOperand
    case (_, 0x06): self = .noRecordsFound
    case (_, 0x07): self = .abortUnsuccessful
    case (_, 0x08): self = .procedureNotCompleted
    case (_, 0x09): self = .operandNotSupported
    case (.health, 0x0A): self = .serverBusy
    case (.insulinDelivery, 0x0A): self = .notApplicable
    default: self = .unknown(octet)
    }
  }

  /// The octet on the wire.
  public func octet(in dialect: RecordAccessDialect = .health) -> UInt8 {
    switch self {
    case .success: dialect == .health ? 0x01 : 0xF0
    case .opCodeNotSupported: 0x02
    case .invalidOperator: 0x03
    case .operatorNotSupported: 0x04
    case .invalidOperand: 0x05
    case .noRecordsFound: 0x06
    case .abortUnsuccessful: 0x07
    case .procedureNotCompleted: 0x08
    case .operandNotSupported: 0x09
    case .serverBusy, .notApplicable: 0x0A
    case .unknown(let octet): octet
    }
  }

  /// Plain words: `no records found`, `reserved value 0B` for a reserved one.
  public var name: String {
    switch self {
    case .success: "success"
    case .opCodeNotSupported: "op code not supported"
    case .invalidOperator: "invalid operator"
    case .operatorNotSupported: "operator not supported"
    case .invalidOperand: "invalid operand"
    case .noRecordsFound: "no records found"
    case .abortUnsuccessful: "abort unsuccessful"
    case .procedureNotCompleted: "procedure not completed"
    case .operandNotSupported: "operand not supported"
    case .serverBusy: "server busy"
    case .notApplicable: "not applicable"
    case .unknown(let octet): "reserved value " + hexOctet(octet)
    }
  }
}

import BluetoothWire

/// What a client writes to a record access control point (GLS 3.4, IDS).
///
/// `op code u8 · operator u8 · operand 0...18`. The operand is empty, or a filter octet and one or two bounds: sequence
/// numbers (2 octets, in insulin delivery 4) or user-facing times (7 octets). Any octets decode: what a server would
/// refuse is `defect`.
public struct RecordAccessRequest: Hashable, Sendable {
  public let dialect: RecordAccessDialect
  /// The value as written.
  public let octets: [UInt8]
  /// `.unknown(0)` for an empty value.
  public let opCode: RecordAccessOpCode
  /// Nil for a value of one octet or none.
  public let `operator`: RecordAccessOperator?
  /// The first octet of the operand where one stands there.
  public let filter: RecordAccessFilter?
  /// Which records are meant; nil for an abort and where a defect leaves it open.
  public let selection: RecordSelection?
  /// Why the request is not well formed.
  public let defect: Defect?

  /// True where no rule of the control point is broken.
  public var isWellFormed: Bool { defect == nil }

  /// What is wrong with a request, with the answer it must get (GLS 3.4.4).
  public enum Defect: Hashable, Sendable {
    /// The value ends before the operator.
    case tooShort
    /// An op code that is reserved or a response.
    case opCode(RecordAccessOpCode)
    /// An operator that is not legal with this op code.
    case wrongOperator(RecordAccessOperator)
    case reservedOperator(UInt8)
    case reservedFilter(UInt8)
    /// An operand where the operator allows none.
    case unexpectedOperand
    /// The operand has another length than operator and filter ask for.
    case operandLength(expected: Int, actual: Int)
    case minimumAboveMaximum
  }

  /// Reads a written value; never fails.
  public init(decoding bytes: RawSpan, dialect: RecordAccessDialect = .health) {
    self.init(octets: bytes.copied(), dialect: dialect)
  }

  /// Reads a written value; never fails.
  public init(octets: [UInt8], dialect: RecordAccessDialect = .health) {
    self.octets = octets
    self.dialect = dialect
    let opCode = octets.first.map { RecordAccessOpCode($0, dialect: dialect) } ?? .unknown(0)
    self.opCode = opCode
    guard octets.count >= 2 else {
      self.operator = nil
      filter = nil
      selection = nil
      defect = octets.isEmpty || opCode.isRequest ? .tooShort : .opCode(opCode)
      return
    }
    let selector = RecordAccessOperator(octets[1], dialect: dialect)
    let parts = Self.operandParts(octets, selector: selector, dialect: dialect)
    self.operator = selector
    filter = parts.filter
    if !opCode.isRequest {
      defect = .opCode(opCode)
      selection = nil
    } else if (opCode == .abort) != (selector == .null) {
      if case .unknown(let octet) = selector {
        defect = .reservedOperator(octet)
      } else {
        defect = .wrongOperator(selector)
      }
      selection = nil
    } else {
      defect = parts.defect
      selection = parts.selection
    }
  }

  /// A request for a selection of records.
  ///
  /// A sequence number above 65535 is written as 65535 in the health dialect; user-facing times exist only there.
  public init(_ opCode: RecordAccessOpCode, _ selection: RecordSelection, dialect: RecordAccessDialect = .health) {
    var writer = ByteWriter()
    writer.u8(opCode.octet(in: dialect))
    writer.u8(selection.operator.octet(in: dialect))
    if let first = selection.minimumTime ?? selection.maximumTime {
      writer.u8(RecordAccessFilter.userFacingTime.octet(in: dialect))
      writer.append(first.octets)
      if case .between(_, let second) = selection { writer.append(second.octets) }
    } else {
      let bounds = [selection.minimum, selection.maximum].compactMap { $0 }
      if !bounds.isEmpty || dialect == .insulinDelivery {
        writer.u8(RecordAccessFilter.sequenceNumber.octet(in: dialect))
      }
      for bound in bounds {
        if dialect == .health { writer.u16(UInt16(clamping: bound)) } else { writer.u32(bound) }
      }
    }
    self.init(octets: writer.octets, dialect: dialect)
  }

  /// The request that stops a running procedure.
  public static func abort() -> RecordAccessRequest {
    let octets = [RecordAccessOpCode.abort.octet(in: .health), RecordAccessOperator.null.octet(in: .health)]
    return RecordAccessRequest(octets: octets, dialect: .health)
  }
}

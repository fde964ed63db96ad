import BluetoothWire

extension RecordAccessRequest {
  /// What the operand says, or why it says nothing.
  struct OperandParts {
    var filter: RecordAccessFilter?
    var selection: RecordSelection?
    var defect: Defect?
  }

  /// Reads the operand of a value of at least two octets.
  static func operandParts(
    _ octets: [UInt8],
    selector: RecordAccessOperator,
    dialect: RecordAccessDialect
  ) -> OperandParts {
    let count = octets.count - 2
    switch selector {
    case .unknown(let octet): return OperandParts(defect: .reservedOperator(octet))
    case .null: return simple(nil, octets, dialect, mayFilter: false)
    case .all: return simple(.all, octets, dialect, mayFilter: true)
    case .first: return simple(.first, octets, dialect, mayFilter: true)
    case .last: return simple(.last, octets, dialect, mayFilter: true)
    case .lessThanOrEqual, .greaterThanOrEqual, .withinRange: break
    }
    let needed = 1 + selector.boundCount * dialect.sequenceNumberWidth
    guard count > 0 else { return OperandParts(defect: .operandLength(expected: needed, actual: 0)) }
    let filter = RecordAccessFilter(octets[2], dialect: dialect)
    switch filter {
    case .unknown(let octet): return OperandParts(filter: filter, defect: .reservedFilter(octet))
    case .userFacingTime: return times(octets, filter, selector)
    case .sequenceNumber, .referenceTimeEvents, .otherThanReferenceTimeEvents: break
    }
    guard isLength(count, needed, in: dialect) else {
      return OperandParts(filter: filter, defect: .operandLength(expected: needed, actual: count))
    }
    let bytes = unsafe octets.span.bytes
    let width = dialect.sequenceNumberWidth
    let first = width == 2 ? UInt32(bytes.u16(at: 3)) : bytes.u32(at: 3)
    let selection: RecordSelection
    switch selector {
    case .lessThanOrEqual: selection = .atMost(first)
    case .greaterThanOrEqual: selection = .atLeast(first)
    default: selection = .within(first, width == 2 ? UInt32(bytes.u16(at: 5)) : bytes.u32(at: 7))
    }
    return OperandParts(
      filter: filter,
      selection: selection,
      defect: selection.isReversed ? .minimumAboveMaximum : nil
    )
  }

  private static func times(
    _ octets: [UInt8],
    _ filter: RecordAccessFilter,
    _ selector: RecordAccessOperator
  ) -> OperandParts {
    let count = octets.count - 2
    let needed = 1 + selector.boundCount * DateTime.octetCount
    guard count == needed else {
      return OperandParts(filter: filter, defect: .operandLength(expected: needed, actual: count))
    }
    let bytes = unsafe octets.span.bytes
    let first = DateTime(bytes, at: 3)
    let selection: RecordSelection
    switch selector {
    case .lessThanOrEqual: selection = .until(first)
    case .greaterThanOrEqual: selection = .since(first)
    default: selection = .between(first, DateTime(bytes, at: 3 + DateTime.octetCount))
    }
    return OperandParts(
      filter: filter,
      selection: selection,
      defect: selection.isReversed ? .minimumAboveMaximum : nil
    )
  }

  /// An operator without bounds: no operand, or in insulin delivery a filter octet alone.
  private static func simple(
    _ selection: RecordSelection?,
    _ octets: [UInt8],
    _ dialect: RecordAccessDialect,
    mayFilter: Bool
  ) -> OperandParts {
    let count = octets.count - 2
    if isLength(count, 0, in: dialect) { return OperandParts(selection: selection) }
    guard mayFilter, dialect == .insulinDelivery, isLength(count, 1, in: dialect) else {
      return OperandParts(selection: nil, defect: .unexpectedOperand)
    }
    let filter = RecordAccessFilter(octets[2], dialect: dialect)
    if case .unknown(let octet) = filter { return OperandParts(filter: filter, defect: .reservedFilter(octet)) }
    return OperandParts(filter: filter, selection: selection)
  }

  /// True for the length itself or, in insulin delivery, with an E2E counter and CRC after it.
  private static func isLength(_ count: Int, _ needed: Int, in dialect: RecordAccessDialect) -> Bool {
    count == needed
      || dialect == .insulinDelivery && count == needed + RecordAccessDialect.protectionLength
  }
}

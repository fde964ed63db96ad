import BluetoothWire

/// What a server indicates from a record access control point (GLS 3.4, IDS).
///
/// `op code u8 · null operator u8 ·` a count (u16, in insulin delivery u32) or `request op code u8 · value u8`. Any
/// octets decode: `content` is what they say as far as they go, `defect` what is wrong with them.
public struct RecordAccessResponse: Hashable, Sendable {
  public let dialect: RecordAccessDialect
  /// The value as indicated.
  public let octets: [UInt8]
  /// Nil where the octets say neither a number nor an outcome.
  public let content: Content?
  public let defect: Defect?

  /// True where no rule of the control point is broken.
  public var isWellFormed: Bool { defect == nil }

  /// What a response says.
  public enum Content: Hashable, Sendable {
    /// How many records match.
    case count(UInt32)
    /// How the procedure that `request` began ended.
    case outcome(request: RecordAccessOpCode, value: RecordAccessResponseValue)
  }

  /// What is wrong with a response.
  public enum Defect: Hashable, Sendable {
    /// An op code that is reserved or a request.
    case opCode(RecordAccessOpCode)
    /// An operator other than null.
    case wrongOperator(UInt8)
    case length(expected: Int, actual: Int)
  }

  /// Reads an indicated value; never fails.
  public init(decoding bytes: RawSpan, dialect: RecordAccessDialect = .health) {
    self.init(octets: bytes.copied(), dialect: dialect)
  }

  /// Reads an indicated value; never fails.
  public init(octets: [UInt8], dialect: RecordAccessDialect = .health) {
    self.octets = octets
    self.dialect = dialect
    let bytes = unsafe octets.span.bytes
    let count = octets.count
    let opCode = octets.first.map { RecordAccessOpCode($0, dialect: dialect) } ?? .unknown(0)
    var expected = 4
    var read: Content?
    switch opCode {
    case .response:
      if count >= 4 {
        let request = RecordAccessOpCode(octets[2], dialect: dialect)
        read = .outcome(request: request, value: RecordAccessResponseValue(octets[3], dialect: dialect))
      }
    case .combinedReportResponse where count >= 6, .countResponse where dialect == .insulinDelivery:
      expected = 6
      if count >= 6 { read = .count(bytes.u32(at: 2)) }
    case .countResponse, .combinedReportResponse:
      if count >= 4 { read = .count(UInt32(bytes.u16(at: 2))) }
    default:
      content = nil
      defect = octets.isEmpty ? .length(expected: 4, actual: 0) : .opCode(opCode)
      return
    }
    content = read
    let isProtected = dialect == .insulinDelivery && count == expected + RecordAccessDialect.protectionLength
    if count != expected && !isProtected {
      defect = .length(expected: expected, actual: count)
    } else if RecordAccessOperator(octets[1], dialect: dialect) != .null {
      defect = .wrongOperator(octets[1])
    } else {
      defect = nil
    }
  }

  /// The end of a procedure.
  public init(
    to request: RecordAccessOpCode,
    _ value: RecordAccessResponseValue,
    dialect: RecordAccessDialect = .health
  ) {
    self.init(
      octets: [
        RecordAccessOpCode.response.octet(in: dialect), RecordAccessOperator.null.octet(in: dialect),
        request.octet(in: dialect), value.octet(in: dialect),
      ],
      dialect: dialect
    )
  }

  /// The answer to a count; a number above 65535 is written as 65535 in the health dialect.
  public init(count: UInt32, dialect: RecordAccessDialect = .health) {
    var writer = ByteWriter()
    writer.u8(RecordAccessOpCode.countResponse.octet(in: dialect))
    writer.u8(RecordAccessOperator.null.octet(in: dialect))
    if dialect == .health { writer.u16(UInt16(clamping: count)) } else { writer.u32(count) }
    self.init(octets: writer.octets, dialect: dialect)
  }
}

extension RecordAccessResponse {
  /// One line: `report: success`, `3 records`, `malformed: 06 01 01 (3 octets, 4 expected)`.
  public var summary: String {
    if let defect {
      let reason =
        switch defect {
        case .opCode(.unknown(let octet)): "reserved op code " + hexOctet(octet)
        case .opCode(let opCode): "op code of a request: " + opCode.name
        case .wrongOperator(let octet): "operator " + hexOctet(octet) + " in a response"
        case .length(let expected, let actual): "\(actual) octets, \(expected) expected"
        }
      return "malformed: " + (octets.isEmpty ? "" : spacedHex(octets) + " ") + "(" + reason + ")"
    }
    switch content {
    case .count(let count): return count == 1 ? "1 record" : "\(count) records"
    case .outcome(let request, let value): return request.name + ": " + value.name
    case nil: return "malformed: " + spacedHex(octets)
    }
  }
}

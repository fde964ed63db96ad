/// What a record access PDU asks or answers, the same for both dialects (GLS 3.4.2, IDS).
public enum RecordAccessOpCode: Hashable, Sendable {
  case report
  case delete
  case abort
  /// Report number of stored records.
  case count
  /// Number of stored records response.
  case countResponse
  /// Response code.
  case response
  /// Combined report; not for glucose, continuous glucose and pulse oximeter services.
  case combinedReport
  case combinedReportResponse
  /// A value reserved in its dialect.
  case unknown(UInt8)

  public init(_ octet: UInt8, dialect: RecordAccessDialect = .health) {
    switch (dialect, octet) {
    case (.health, 0x01), (.insulinDelivery, 0x33): self = .report
    case (.health, 0x02), (.insulinDelivery, 0x3C): self = .delete
    case (.health, 0x03), (.insulinDelivery, 0x55): self = .abort
    case (.health, 0x04), (.insulinDelivery, 0x5A): self = .count
    case (.health, 0x05), (.insulinDelivery, 0x66): self = .countResponse
    case (.health, 0x06), (.insulinDelivery, 0x0F): self = .response
    case (.health, 0x07): self = .combinedReport
    case (.health, 0x08): self = .combinedReportResponse
    default: self = .unknown(octet)
    }
  }

  /// The octet on the wire; 0, which is reserved, where the dialect has no such op code.
  public func octet(in dialect: RecordAccessDialect = .health) -> UInt8 {
    let health = dialect == .health
    switch self {
    case .report: return health ? 0x01 : 0x33
    case .delete: return health ? 0x02 : 0x3C
    case .abort: return health ? 0x03 : 0x55
    case .count: return health ? 0x04 : 0x5A
    case .countResponse: return health ? 0x05 : 0x66
    case .response: return health ? 0x06 : 0x0F
    case .combinedReport: return health ? 0x07 : 0
    case .combinedReportResponse: return health ? 0x08 : 0
    case .unknown(let octet): return octet
    }
  }

  /// True for what a client writes.
  public var isRequest: Bool {
    switch self {
    case .report, .delete, .abort, .count, .combinedReport: true
    case .countResponse, .response, .combinedReportResponse, .unknown: false
    }
  }

  /// False for a request that a server carries out without sending records; a reserved one may send some.
  public var mayDeliver: Bool { self != .count && self != .delete && self != .abort }

  /// Plain words: `report`, `op code 09` for a reserved one.
  public var name: String {
    switch self {
    case .report: "report"
    case .delete: "delete"
    case .abort: "abort"
    case .count: "count"
    case .countResponse: "count response"
    case .response: "response"
    case .combinedReport: "combined report"
    case .combinedReportResponse: "combined report response"
    case .unknown(let octet): "op code " + hexOctet(octet)
    }
  }
}

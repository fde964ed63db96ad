/// What the bounds of a request are counted in: the first octet of the operand (GLS 3.4.2, CGMS 3.6.3.1, IDS).
public enum RecordAccessFilter: Hashable, Sendable {
  /// Sequence number; minutes since the session start in continuous glucose monitoring.
  case sequenceNumber
  /// Base time plus time offset; glucose service only.
  case userFacingTime
  /// Sequence number, reference time events only; insulin delivery only.
  case referenceTimeEvents
  /// Sequence number, all but reference time events; insulin delivery only.
  case otherThanReferenceTimeEvents
  /// A value reserved in its dialect.
  case unknown(UInt8)

  public init(_ octet: UInt8, dialect: RecordAccessDialect = .health) {
    switch (dialect, octet) {
    case (.health, 0x01), (.insulinDelivery, 0x0F): self = .sequenceNumber
    case (.health, 0x02): self = .userFacingTime
    case (.insulinDelivery, 0x33): self = .referenceTimeEvents
    case (.insulinDelivery, 0x3C): self = .otherThanReferenceTimeEvents
    default: self = .unknown(octet)
    }
  }

  /// The octet on the wire; 0, which is reserved, where the dialect has no such filter.
  public func octet(in dialect: RecordAccessDialect = .health) -> UInt8 {
    let health = dialect == .health
    switch self {
    case .sequenceNumber: return health ? 0x01 : 0x0F
    case .userFacingTime: return health ? 0x02 : 0
    case .referenceTimeEvents: return health ? 0 : 0x33
    case .otherThanReferenceTimeEvents: return health ? 0 : 0x3C
    case .unknown(let octet): return octet
    }
  }

  /// Plain words: `sequence number`, `filter 03` for a reserved one.
  public var name: String {
    switch self {
    case .sequenceNumber: "sequence number"
    case .userFacingTime: "user-facing time"
    case .referenceTimeEvents: "reference time events"
    case .otherThanReferenceTimeEvents: "other than reference time events"
    case .unknown(let octet): "filter " + hexOctet(octet)
    }
  }
}

/// Which records a request is about (GLS 3.4.2, IDS).
public enum RecordAccessOperator: Hashable, Sendable {
  case null
  case all
  case lessThanOrEqual
  case greaterThanOrEqual
  case withinRange
  /// The oldest record.
  case first
  /// The most recent record.
  case last
  /// A value reserved in its dialect.
  case unknown(UInt8)

  public init(_ octet: UInt8, dialect: RecordAccessDialect = .health) {
    switch (dialect, octet) {
    case (.health, 0x00), (.insulinDelivery, 0x0F): self = .null
    case (.health, 0x01), (.insulinDelivery, 0x33): self = .all
    case (.health, 0x02), (.insulinDelivery, 0x3C): self = .lessThanOrEqual
    case (.health, 0x03), (.insulinDelivery, 0x55): self = .greaterThanOrEqual
    case (.health, 0x04), (.insulinDelivery, 0x5A): self = .withinRange
    case (.health, 0x05), (.insulinDelivery, 0x66): self = .first
    case (.health, 0x06), (.insulinDelivery, 0x69): self = .last
    default: self = .unknown(octet)
    }
  }

  /// The octet on the wire.
  public func octet(in dialect: RecordAccessDialect = .health) -> UInt8 {
    let health = dialect == .health
    switch self {
    case .null: return health ? 0x00 : 0x0F
    case .all: return health ? 0x01 : 0x33
    case .lessThanOrEqual: return health ? 0x02 : 0x3C
    case .greaterThanOrEqual: return health ? 0x03 : 0x55
    case .withinRange: return health ? 0x04 : 0x5A
    case .first: return health ? 0x05 : 0x66
    case .last: return health ? 0x06 : 0x69
    case .unknown(let octet): return octet
    }
  }

  /// How many bounds the operand holds: 0, 1 or 2.
  public var boundCount: Int {
    switch self {
    case .lessThanOrEqual, .greaterThanOrEqual: 1
    case .withinRange: 2
    case .null, .all, .first, .last, .unknown: 0
    }
  }

  /// Plain words: `all records`, `operator 07` for a reserved one.
  public var name: String {
    switch self {
    case .null: "null"
    case .all: "all records"
    case .lessThanOrEqual: "less than or equal"
    case .greaterThanOrEqual: "greater than or equal"
    case .withinRange: "within range"
    case .first: "first record"
    case .last: "last record"
    case .unknown(let octet): "operator " + hexOctet(octet)
    }
  }
}

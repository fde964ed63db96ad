/// Which records a request is about, with its bounds; bounds belong to the selection.
public enum RecordSelection: Hashable, Sendable {
  case all
  /// The oldest record.
  case first
  /// The most recent record.
  case last
  /// Sequence numbers up to the maximum; time offsets in minutes in continuous glucose monitoring.
  case atMost(UInt32)
  /// Sequence numbers from the minimum.
  case atLeast(UInt32)
  /// Sequence numbers from minimum to maximum; nothing where the minimum is above the maximum.
  case within(UInt32, UInt32)
  /// User-facing times up to the maximum.
  case until(DateTime)
  /// User-facing times from the minimum.
  case since(DateTime)
  /// User-facing times from minimum to maximum.
  case between(DateTime, DateTime)

  /// The operator that stands for the selection.
  public var `operator`: RecordAccessOperator {
    switch self {
    case .all: .all
    case .first: .first
    case .last: .last
    case .atMost, .until: .lessThanOrEqual
    case .atLeast, .since: .greaterThanOrEqual
    case .within, .between: .withinRange
    }
  }

  /// The lowest sequence number asked for.
  public var minimum: UInt32? {
    switch self {
    case .atLeast(let minimum), .within(let minimum, _): minimum
    default: nil
    }
  }

  /// The highest sequence number asked for.
  public var maximum: UInt32? {
    switch self {
    case .atMost(let maximum), .within(_, let maximum): maximum
    default: nil
    }
  }

  /// The earliest user-facing time asked for.
  public var minimumTime: DateTime? {
    switch self {
    case .since(let minimum), .between(let minimum, _): minimum
    default: nil
    }
  }

  /// The latest user-facing time asked for.
  public var maximumTime: DateTime? {
    switch self {
    case .until(let maximum), .between(_, let maximum): maximum
    default: nil
    }
  }

  /// True where the selection is a range that ends before it begins.
  public var isReversed: Bool {
    switch self {
    case .within(let minimum, let maximum): minimum > maximum
    case .between(let minimum, let maximum): minimum > maximum
    default: false
    }
  }
}

extension RecordSelection: CustomStringConvertible {
  /// `all`, `≥ 31`, `5–9`, `≥ 2026-03-04 05:00:00 (user-facing time)`.
  public var description: String {
    switch self {
    case .all: "all"
    case .first: "first"
    case .last: "last"
    case .atMost(let maximum): "≤ \(maximum)"
    case .atLeast(let minimum): "≥ \(minimum)"
    case .within(let minimum, let maximum): "\(minimum)–\(maximum)"
    case .until(let maximum): "≤ \(maximum) (user-facing time)"
    case .since(let minimum): "≥ \(minimum) (user-facing time)"
    case .between(let minimum, let maximum): "\(minimum)–\(maximum) (user-facing time)"
    }
  }
}

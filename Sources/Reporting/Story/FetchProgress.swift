import HealthProfiles
import LinkTrace

/// How far a collector has come with a sensor's history: what a count promised, what an unfinished report left open.
struct FetchProgress: Sendable {
  /// The latest count of all records; nil where none was asked for.
  private(set) var counted: UInt32?
  /// The number after the highest one an unfinished report brought, while nothing has asked from there on.
  private(set) var openFrom: UInt32?
  /// Numbers a later request left out although an unfinished report had not brought them: to the number before the
  /// request's own first one.
  private(set) var skipped: ClosedRange<UInt32>?
  /// True where the last report of all or from a number on did not come to its end.
  private(set) var isUnfinished = false

  mutating func follow(_ entry: ProcedureSummary) {
    let procedure = entry.procedure
    guard procedure.dialect == .health else { return }
    let request = RecordAccessRequest(octets: entry.requestOctets)
    if procedure.opCode == .count, case .count(let number) = procedure.outcome, request.selection == .all {
      counted = number
    }
    guard procedure.opCode == .report, let first = Self.first(of: request.selection) else { return }
    if case .refused = procedure.outcome { return }
    if let open = openFrom, first > open { skipped = open...(first - 1) }
    if let range = skipped, first <= range.lowerBound, procedure.isFinished { skipped = nil }
    switch procedure.outcome {
    case .success, .noRecords:
      isUnfinished = false
      if openFrom.map({ first <= $0 }) ?? true { openFrom = nil }
    default:
      isUnfinished = true
      if let highest = procedure.sequences.maximum { openFrom = max(openFrom ?? 0, highest &+ 1) }
    }
  }

  /// The number a request begins at: nil for the first or last record and for times.
  private static func first(of selection: RecordSelection?) -> UInt32? {
    switch selection {
    case .all: 0
    case .atLeast(let minimum): minimum
    case .within(let minimum, _): minimum
    default: nil
    }
  }
}

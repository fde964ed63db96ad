import HealthProfiles
import LinkTrace

/// How far a collector has come with a sensor's history: what a count promised, what an unfinished report left open.
struct FetchProgress: Sendable {
  /// The latest count of all records; nil where none was asked for.
  private(set) var counted: UInt32?
  /// The number of the link that count came on.
  private var countedLink: UInt32 = 0
  /// The number after the highest one an unfinished report brought, while nothing has asked from there on.
  private(set) var openFrom: UInt32?
  /// Numbers a later request left out although an unfinished report had not brought them: to the number before the
  /// request's own first one.
  private(set) var skipped: ClosedRange<UInt32>?
  /// True where the last report of all or from a number on did not come to its end.
  private(set) var isUnfinished = false
  /// What the sensor's result said of why; nil where there was none.
  private(set) var failure: String?
  /// True where how that report ended is not in the capture.
  private(set) var isEndUnknown = false
  /// What was deleted before it had come over; nil where nothing was, as far as the capture shows.
  private(set) var deleted: Deletion?
  /// What was left out or unfinished when the sensor's numbers began anew.
  private(set) var leftBefore: Left?
  /// True where the unfinished report was one of all records, and its end is known to be none.
  private var isBrokenOffFromStart = false

  /// Records a successful deletion of all took with it although a report of all had broken off.
  struct Deletion: Sendable {
    /// How many, and of how many counted; nil where nothing was counted before.
    var amount: (missing: UInt64, counted: UInt32)?
  }

  /// What had not come over when the sensor's numbers began anew.
  enum Left: Sendable, Equatable {
    /// Numbers that were never asked for.
    case skipped(ClosedRange<UInt32>)
    /// A report that did not come to its end.
    case unfinished
  }

  /// The sensor's numbers begin anew: what was open of those before stays open.
  ///
  /// - Parameters:
  ///   - link: the link this shows on; a count that came on it is one of the new records.
  ///   - missing: the numbers that were left out and have not come.
  mutating func restart(on link: UInt32, missing: ClosedRange<UInt32>?) {
    if let missing {
      leftBefore = .skipped(missing)
    } else if isUnfinished, leftBefore == nil {
      leftBefore = .unfinished
    }
    if countedLink != link { counted = nil }
    openFrom = nil
    skipped = nil
    isUnfinished = false
    isBrokenOffFromStart = false
  }

  /// - Parameters:
  ///   - link: the number of its link.
  ///   - received: how many different numbers had come before the procedure.
  mutating func follow(_ entry: ProcedureSummary, on link: UInt32, received: UInt64) {
    let procedure = entry.procedure
    guard procedure.dialect == .health else { return }
    if procedure.opCode == .delete, case .success = procedure.outcome {
      delete(RecordAccessRequest(octets: entry.requestOctets), received)
    }
    let request = RecordAccessRequest(octets: entry.requestOctets)
    if procedure.opCode == .count, case .count(let number) = procedure.outcome, request.selection == .all {
      counted = number
      countedLink = link
    }
    guard procedure.opCode == .report, let first = Self.first(of: request.selection) else { return }
    if case .refused = procedure.outcome { return }
    if let open = openFrom, first > open { skipped = open...(first - 1) }
    if let range = skipped, first <= range.lowerBound, procedure.isFinished { skipped = nil }
    failure = nil
    switch procedure.outcome {
    case .success, .noRecords:
      isUnfinished = false
      isEndUnknown = false
      isBrokenOffFromStart = false
      if openFrom.map({ first <= $0 }) ?? true { openFrom = nil }
    case .resultClipped, .notCaptured:
      isUnfinished = true
      isEndUnknown = true
      isBrokenOffFromStart = false
    default:
      isUnfinished = true
      isEndUnknown = false
      if case .failed(let value) = procedure.outcome { failure = value.name }
      isBrokenOffFromStart = first == 0 && Self.isBrokenOff(procedure.outcome)
      if let highest = procedure.sequences.maximum { openFrom = max(openFrom ?? 0, highest &+ 1) }
    }
  }

  /// All records are gone: what was counted of them and what a report left open is no longer there to be missed.
  private mutating func delete(_ request: RecordAccessRequest, _ received: UInt64) {
    guard request.selection == .all else { return }
    if isUnfinished && isBrokenOffFromStart {
      if let counted, UInt64(counted) > received {
        deleted = Deletion(amount: (UInt64(counted) - received, counted))
      } else if counted == nil {
        deleted = Deletion(amount: nil)
      }
    }
    counted = nil
    openFrom = nil
    isUnfinished = false
    isBrokenOffFromStart = false
  }

  private static func isBrokenOff(_ outcome: Procedure.Outcome) -> Bool {
    switch outcome {
    case .aborted, .linkLost, .disconnected, .unanswered: true
    case .failed(let value): value == .procedureNotCompleted
    default: false
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

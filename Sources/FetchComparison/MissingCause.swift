public import LinkTrace

/// Why a side lacks a record that the other one holds, as far as its captures tell.
public enum MissingCause: Sendable, Hashable {
  /// The side has no link with the device.
  case noLink
  /// The store does not hold it.
  case notStored
  /// There are links, and no request for records on any of them; the index of the last one.
  case nothingRequested(link: Int)
  /// A report broke off before it, and the next request began after it.
  case skipped(by: ProcedureReference, after: ProcedureReference)
  /// It was deleted on the device before it had come.
  case deleted(by: ProcedureReference)
  /// The last report that asked for it did not finish, and nothing asked for it again.
  case unfinished(ProcedureReference)
  /// The sensor refused the last request for it, or answered it with an error.
  case refused(ProcedureReference)
  /// A report that asked for it ended with success and did not bring it.
  case leftOut(by: ProcedureReference)
  /// No request of the side covers it; the last one that asked for records.
  case notRequested(ProcedureReference)
  /// The first request of the side begins after it: it may hold it from before the capture.
  case beforeFirstRequest(ProcedureReference)
  /// Its number is above all that a finished report brought: it may have been measured since.
  case measuredLater(ProcedureReference)
  /// The side has its number with another base time: the meter was reset, or its clock was set.
  case otherBaseTime
  /// The capture does not show enough: the facts that are missing.
  case notCaptured(link: Int, missing: UInt32)

  /// True where the side's own packets show that it went without the record.
  public var isCertain: Bool {
    switch self {
    case .noLink, .beforeFirstRequest, .measuredLater, .otherBaseTime, .notCaptured: false
    default: true
    }
  }

  /// The procedure it happened in, or that decided it.
  public var procedure: ProcedureReference? {
    switch self {
    case .skipped(let reference, _), .deleted(let reference), .unfinished(let reference), .refused(let reference),
      .leftOut(let reference), .notRequested(let reference), .beforeFirstRequest(let reference),
      .measuredLater(let reference):
      reference
    case .noLink, .notStored, .nothingRequested, .otherBaseTime, .notCaptured: nil
    }
  }

  /// What accuses most stands first.
  var gravity: Int {
    switch self {
    case .deleted: 9
    case .skipped: 8
    case .leftOut: 7
    case .unfinished: 6
    case .refused: 5
    case .notRequested: 4
    case .nothingRequested: 3
    case .notStored: 2
    case .noLink: 1
    case .beforeFirstRequest, .measuredLater, .otherBaseTime, .notCaptured: 0
    }
  }

  /// The missing facts of `notCaptured`.
  public var missingFacts: VisibilityFacts {
    if case .notCaptured(_, let facts) = self { return VisibilityFacts(rawValue: facts) }
    return []
  }
}

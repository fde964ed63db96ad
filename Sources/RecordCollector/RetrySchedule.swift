import HealthProfiles

/// After which outcome, and after how long, a further link is tried, and when to give up.
///
/// Pure: it counts the attempts it is told of and gives the pause before the next one in nanoseconds.
public struct RetrySchedule: Hashable, Sendable {
  /// The pause before the second attempt.
  public var firstPause: UInt64
  /// No pause is longer.
  public var longestPause: UInt64
  /// Attempts in a row that stored nothing, before giving up.
  public var attempts: Int
  /// Attempts that ended without success and without a record since the last that stored one.
  public private(set) var failures: Int = 0

  /// By default 2 s, doubled up to 60 s, and five attempts.
  public init(firstPause: UInt64 = 2_000_000_000, longestPause: UInt64 = 60_000_000_000, attempts: Int = 5) {
    self.firstPause = firstPause
    self.longestPause = longestPause
    self.attempts = attempts
  }

  /// The pause before the next link, or nil where none is tried: done, useless, or tried often enough.
  public mutating func pause(after run: SyncRun) -> UInt64? {
    guard Self.mayHelp(run.outcome) else { return nil }
    failures = run.stored > 0 ? 1 : failures + 1
    guard failures < attempts else { return nil }
    let doublings = min(failures - 1, 30)
    let (pause, overflow) = firstPause.multipliedReportingOverflow(by: 1 << UInt64(doublings))
    return overflow ? longestPause : min(pause, longestPause)
  }

  /// Whether the same run on a new link may end better without a person doing something first.
  public static func mayHelp(_ outcome: SyncOutcome) -> Bool {
    switch outcome {
    case .linkLost, .timedOut(.attributeResponse), .timedOut(.recordAccess), .busy, .wrongAnswer: true
    // Busy and "procedure not completed" pass; every other code would be given again (GLS 3.4.4).
    case .refused(.serverBusy), .refused(.procedureNotCompleted): true
    case .refused, .attributeError, .synced, .nothingNew, .aborted, .timedOut, .pairingFailed, .bondLost: false
    case .notEncrypted, .storeFailed, .notAGlucoseMeter, .tooMuchData: false
    }
  }
}

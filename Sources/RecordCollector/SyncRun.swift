/// The outcome and timing of one run.
public struct SyncRun: Equatable, Sendable {
  public var outcome: SyncOutcome
  /// Wall clock, seconds since 1970-01-01 00:00:00 UTC, handed in by the caller; nil where it has none.
  public var startedAt: Double?
  /// From the link to the end, in nanoseconds.
  public var duration: UInt64
  /// From the request for records to its response, in nanoseconds.
  public var transferDuration: UInt64
  /// The octets of the request for records, empty where none was sent.
  public var request: [UInt8]
  /// Measurements received, duplicates with them.
  public var received: Int
  /// Contexts received.
  public var contexts: Int
  /// Records stored that were not held before.
  public var stored: Int
  /// Records received that were held before.
  public var alreadyHeld: Int
  /// Records deleted from the meter.
  public var deleted: Int
  public var epoch: UInt32
  /// The mark after the run.
  public var mark: UInt16?
  /// What the meter said it has, where it was asked.
  public var count: Int?
  /// The protection of the link at the end.
  public var security: LinkSecurity
  /// ATT requests sent: each is a round trip.
  public var roundTrips: Int
  /// The handles were taken from the cache.
  public var usedCache: Bool

  public init(outcome: SyncOutcome, epoch: UInt32 = 0, mark: UInt16? = nil) {
    self.outcome = outcome
    self.epoch = epoch
    self.mark = mark
    startedAt = nil
    duration = 0
    transferDuration = 0
    request = []
    received = 0
    contexts = 0
    stored = 0
    alreadyHeld = 0
    deleted = 0
    count = nil
    security = .none
    roundTrips = 0
    usedCache = false
  }
}

public import LinkTrace

/// Deliveries of records that the same side had received before.
public struct Repetitions: Sendable {
  /// Again within one procedure: the sensor sent it twice, or two procedures ran at once.
  public internal(set) var withinProcedure: UInt64 = 0
  /// Asked for again on the same link.
  public internal(set) var onSameLink: UInt64 = 0
  /// Fetched again on a later link.
  public internal(set) var onLaterLink: UInt64 = 0
  /// The numbers of each kind.
  public internal(set) var numbersWithinProcedure = SequenceSet()
  public internal(set) var numbersFetchedAgain = SequenceSet()
  /// The first delivery within one procedure.
  public internal(set) var firstFrame: UInt32 = 0
  /// The most deliveries of one record.
  public internal(set) var most: UInt64 = 0

  public var count: UInt64 { withinProcedure + onSameLink + onLaterLink }
}

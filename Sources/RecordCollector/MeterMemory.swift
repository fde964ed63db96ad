public import HealthProfiles

/// What is known of a meter before a run, as the store remembers it.
public struct MeterMemory: Equatable, Sendable {
  /// Counts how often the meter's sequence numbers started anew; 0 for the first numbering.
  public var epoch: UInt32
  /// The highest sequence number committed in this epoch by fetches without a gap; nil: never synced.
  public var mark: UInt16?
  /// The base time of the record at the mark.
  public var newestBaseTime: DateTime?
  /// How many records of this epoch are held.
  public var heldRecords: Int
  /// Requests the meter is known to refuse.
  public var unsupported: UnsupportedRequests
  /// The handles found on an earlier link.
  public var attributes: AttributeCache?
  /// A key for the meter is held, so that the link can be encrypted without pairing.
  public var isBonded: Bool
  /// What was read from Device Information; nil: never read.
  public var identity: SensorIdentity?
  /// How many runs ended well since all records were last fetched.
  public var runsSinceFullFetch: UInt32

  /// A meter never seen before, by default.
  public init(
    epoch: UInt32 = 0,
    mark: UInt16? = nil,
    newestBaseTime: DateTime? = nil,
    heldRecords: Int = 0,
    unsupported: UnsupportedRequests = [],
    attributes: AttributeCache? = nil,
    isBonded: Bool = false,
    identity: SensorIdentity? = nil,
    runsSinceFullFetch: UInt32 = 0
  ) {
    self.epoch = epoch
    self.mark = mark
    self.newestBaseTime = newestBaseTime
    self.heldRecords = heldRecords
    self.unsupported = unsupported
    self.attributes = attributes
    self.isBonded = isBonded
    self.identity = identity
    self.runsSinceFullFetch = runsSinceFullFetch
  }
}

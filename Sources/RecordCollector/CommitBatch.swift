public import HealthProfiles

/// What one transaction of the store writes: all of it or nothing.
public struct CommitBatch: Equatable, Sendable {
  public var service: StoredService
  /// The epoch the records belong to.
  public var epoch: UInt32
  /// The meter's numbers started anew: the epoch is created, and its mark begins with `newMark`.
  public var opensEpoch: Bool
  /// In the order they arrived; no two are the same, two may have one sequence number and other content.
  public var records: [CollectedRecord]
  /// Contexts whose measurement did not come, also when asked for.
  public var orphanContexts: [CollectedContext]
  /// The mark of the epoch after this batch; nil leaves it as it is.
  public var newMark: UInt16?
  /// The base time of the record at `newMark`; nil leaves it as it is.
  public var newestBaseTime: DateTime?
  /// The octets written to the Record Access Control Point to get the records.
  public var request: [UInt8]
  /// All records of the meter were asked for.
  public var isFullFetch: Bool

  public init(
    service: StoredService = .glucose,
    epoch: UInt32,
    opensEpoch: Bool = false,
    records: [CollectedRecord],
    orphanContexts: [CollectedContext] = [],
    newMark: UInt16? = nil,
    newestBaseTime: DateTime? = nil,
    request: [UInt8] = [],
    isFullFetch: Bool = false
  ) {
    self.service = service
    self.epoch = epoch
    self.opensEpoch = opensEpoch
    self.records = records
    self.orphanContexts = orphanContexts
    self.newMark = newMark
    self.newestBaseTime = newestBaseTime
    self.request = request
    self.isFullFetch = isFullFetch
  }
}

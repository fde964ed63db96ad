public import BluetoothWire
public import RecordCollector

/// One record of the store with what tells it from every other.
public struct StoredRecord: Sendable, Equatable {
  public var meter: DeviceAddress
  public var service: StoredService
  public var epoch: UInt32
  /// 0 for the first content under its number, counting up for others that came later.
  public var variant: UInt32
  /// When it was committed, seconds since 1970-01-01 00:00:00 UTC.
  public var committedAt: Int64
  public var record: CollectedRecord

  public init(
    meter: DeviceAddress,
    service: StoredService = .glucose,
    epoch: UInt32,
    variant: UInt32 = 0,
    committedAt: Int64 = 0,
    record: CollectedRecord
  ) {
    self.meter = meter
    self.service = service
    self.epoch = epoch
    self.variant = variant
    self.committedAt = committedAt
    self.record = record
  }

  /// The same for this record in every export of every store, and for no other record.
  public var syncIdentifier: SyncIdentifier {
    SyncIdentifier(
      meter: meter,
      service: service,
      epoch: epoch,
      sequenceNumber: record.sequenceNumber,
      kind: .record(variant: variant)
    )
  }
}

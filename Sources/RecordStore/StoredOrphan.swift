public import BluetoothWire
public import RecordCollector

/// A context whose record never came, with what tells it from every other.
public struct StoredOrphan: Sendable, Equatable {
  public var meter: DeviceAddress
  public var service: StoredService
  public var epoch: UInt32
  /// Counts the contexts under its number from 0.
  public var ordinal: UInt32
  public var context: CollectedContext

  /// The same for this context in every export of every store, and for no other.
  public var syncIdentifier: SyncIdentifier {
    SyncIdentifier(
      meter: meter,
      service: service,
      epoch: epoch,
      sequenceNumber: context.sequenceNumber,
      kind: .orphan(ordinal: ordinal)
    )
  }
}

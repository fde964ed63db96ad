public import BluetoothWire

/// What a run needs of a store; one value stands for one open store.
///
/// Every method either does all it says, durably, or throws and has done nothing.
public protocol RecordKeeping {
  /// What is known of the meter; a meter never seen before has an empty memory.
  func memory(of meter: DeviceAddress) throws -> MeterMemory

  /// All records held under a sequence number of one epoch: none, one, or several with different content.
  func records(of meter: DeviceAddress, epoch: UInt32, sequenceNumber: UInt16) throws -> [CollectedRecord]

  /// Stores a batch in one transaction, and moves the mark in it.
  ///
  /// A record is the same as a held one where `CollectedRecord.hasSameContent(as:)` says so within its epoch: it is not
  /// stored again, but contexts that the held one lacks are added to it and clear its `contextIsMissing`. Another content
  /// under a held number is stored beside it.
  ///
  /// In an epoch that is not the first, a record with the base time and the measured content of one that an earlier epoch
  /// holds is the same reading under another number: it is kept, to be looked up, and counted as `renumbered`.
  mutating func commit(_ batch: CommitBatch, for meter: DeviceAddress) throws -> CommitReceipt

  /// Keeps the handles for the next link; nil forgets them.
  mutating func remember(attributes: AttributeCache?, of meter: DeviceAddress) throws

  /// Keeps what the meter is known not to do, in place of what was known before.
  mutating func remember(unsupported: UnsupportedRequests, of meter: DeviceAddress) throws

  /// Keeps who the meter is; a nil field leaves what was known.
  mutating func remember(identity: SensorIdentity) throws

  /// Keeps the outcome and timing of a run.
  mutating func record(run: SyncRun, of meter: DeviceAddress) throws
}

public import BluetoothWire
public import RecordCollector

/// A meter as the store knows it, without its keys.
public struct StoredDevice: Sendable, Equatable {
  public var identity: SensorIdentity
  /// Oldest first.
  public var epochs: [StoredEpoch]
  public var runs: Int
  /// When the last run that ended well began, seconds since 1970-01-01 00:00:00 UTC.
  public var lastSync: Double?

  public var address: DeviceAddress { identity.address }

  /// How many records are held, over all epochs.
  public var recordCount: Int { epochs.reduce(0) { $0 + $1.records } }

  public init(identity: SensorIdentity, epochs: [StoredEpoch] = [], runs: Int = 0, lastSync: Double? = nil) {
    self.identity = identity
    self.epochs = epochs
    self.runs = runs
    self.lastSync = lastSync
  }
}

/// What is held of one numbering of a meter.
public struct StoredEpoch: Sendable, Equatable {
  public var service: StoredService
  public var number: UInt32
  /// Nil where no fetch without a gap was committed.
  public var mark: UInt16?
  /// Records held, those of other content under a known number with them, and without those that are readings of an
  /// earlier epoch under other numbers.
  public var records: Int
  /// How many of them have a number that another one has too.
  public var variants: Int
  /// How many records lack a context they announced.
  public var missingContexts: Int
  /// Contexts without their record.
  public var orphanContexts: Int

  public init(
    service: StoredService,
    number: UInt32,
    mark: UInt16? = nil,
    records: Int = 0,
    variants: Int = 0,
    missingContexts: Int = 0,
    orphanContexts: Int = 0
  ) {
    self.service = service
    self.number = number
    self.mark = mark
    self.records = records
    self.variants = variants
    self.missingContexts = missingContexts
    self.orphanContexts = orphanContexts
  }
}

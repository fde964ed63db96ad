public import BluetoothWire

/// What one side holds of one device.
public struct FetchedDevice: Sendable {
  /// Nil where no capture shows it, and where the identity is ignored.
  public internal(set) var address: DeviceAddress?
  /// What it calls itself, as it stood on the air.
  public internal(set) var name: [UInt8]?
  /// Indices into the links of the side, in their order.
  public internal(set) var links: [Int] = []
  public internal(set) var records = RecordPages()
  public internal(set) var contexts: [ComparedContext] = []
  /// Contexts whose measurement did not come on their link.
  public internal(set) var orphanContexts = 0
  /// True where links whose device the capture does not show were taken for this one.
  public internal(set) var isAssumed = false
  /// True where the captured host itself is the sensor.
  public internal(set) var isLocal = false
  /// True where its records are rows of a store.
  public internal(set) var isStored = false

  public func context(of record: ComparedRecord) -> ComparedContext? {
    record.contextOrdinal == 0 ? nil : contexts[Int(record.contextOrdinal) - 1]
  }

  /// Takes over what another one holds.
  mutating func merge(_ other: FetchedDevice) {
    let base = UInt32(truncatingIfNeeded: contexts.count)
    contexts += other.contexts
    records.append(other.records) { record in
      if record.contextOrdinal != 0 { record.contextOrdinal += base }
    }
    links = (links + other.links).sorted()
    orphanContexts += other.orphanContexts
    name = name ?? other.name
    isLocal = isLocal || other.isLocal
    isStored = isStored || other.isStored
  }
}

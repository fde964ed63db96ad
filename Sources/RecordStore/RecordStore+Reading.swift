public import BluetoothWire
import RecordCollector

extension RecordStore {
  /// The addresses of all meters, in order.
  func addresses() throws(StoreError) -> [DeviceAddress] {
    let query = try statements(ReadingStatements.self).devices
    var addresses: [DeviceAddress] = []
    while try query.next() {
      guard let address = DeviceAddress(text: query.text(0) ?? "", isRandom: query.text(1) == "random") else {
        throw .damaged("\(name) holds a device without a valid address.")
      }
      addresses.append(address)
    }
    return addresses
  }

  /// Every meter, in the order of the addresses.
  public func devices() throws(StoreError) -> [StoredDevice] {
    try snapshot { () throws(StoreError) -> [StoredDevice] in
      var devices: [StoredDevice] = []
      for address in try addresses() {
        if let device = try device(address) { devices.append(device) }
      }
      return devices
    }
  }

  /// One meter; nil where the store has never seen it.
  public func device(_ meter: DeviceAddress) throws(StoreError) -> StoredDevice? {
    try snapshot { () throws(StoreError) -> StoredDevice? in
      guard let row = try statements(DeviceStatements.self).identifier(of: meter) else { return nil }
      let reading = try statements(ReadingStatements.self)
      var identity = SensorIdentity(address: meter)
      var unsupported: UnsupportedRequests = []
      _ = try statements(MeterStatements.self).describe(row, &identity, &unsupported)
      reading.runTotals.bind(1, row)
      defer { reading.runTotals.reset() }
      _ = try reading.runTotals.next()
      return StoredDevice(
        identity: identity,
        epochs: try reading.epochs(of: row).map(\.epoch),
        runs: Int(reading.runTotals.integer(0)),
        lastSync: reading.runTotals.real(1)
      )
    }
  }

  /// Calls `body` with every record of a meter, by epoch, number and variant, without holding more than one.
  ///
  /// A reading that came again under another number, because the meter numbered its records anew, is given once: as it
  /// came first.
  ///
  /// Several walks show one state of the store inside `snapshot`. Stops early where `body` returns false.
  public func records(of meter: DeviceAddress, _ body: (StoredRecord) -> Bool) throws(StoreError) {
    try eachEpoch(of: meter) { (row, epoch) throws(StoreError) in
      let query = try statements(ReadingStatements.self).records
      let held = try statements(HeldRecords.self)
      query.bind(1, row)
      defer { query.reset() }
      while try query.next() {
        var record = CollectedRecord(
          sequenceNumber: UInt16(truncatingIfNeeded: query.integer(0)),
          value: query.octets(2),
          offset: query.integer(3),
          contextIsMissing: query.flag(4)
        )
        record.contexts = try held.contexts(row, record.sequenceNumber, query.integer(1))
        let stored = StoredRecord(
          meter: meter,
          service: epoch.service,
          epoch: epoch.number,
          variant: UInt32(clamping: query.integer(1)),
          committedAt: query.integer(5),
          record: record
        )
        guard body(stored) else { return false }
      }
      return true
    }
  }

  /// Calls `body` with every context whose record never came.
  public func orphans(of meter: DeviceAddress, _ body: (StoredOrphan) -> Bool) throws(StoreError) {
    try eachEpoch(of: meter) { (row, epoch) throws(StoreError) in
      let query = try statements(ReadingStatements.self).orphans
      query.bind(1, row)
      defer { query.reset() }
      while try query.next() {
        let sequence = UInt16(truncatingIfNeeded: query.integer(0))
        let orphan = StoredOrphan(
          meter: meter,
          service: epoch.service,
          epoch: epoch.number,
          ordinal: UInt32(clamping: query.integer(1)),
          context: CollectedContext(sequenceNumber: sequence, value: query.octets(2))
        )
        guard body(orphan) else { return false }
      }
      return true
    }
  }

  private func eachEpoch(
    of meter: DeviceAddress,
    _ body: (Int64, StoredEpoch) throws(StoreError) -> Bool
  ) throws(StoreError) {
    try snapshot { () throws(StoreError) -> Void in
      guard let row = try statements(DeviceStatements.self).identifier(of: meter) else { return }
      for epoch in try statements(ReadingStatements.self).epochs(of: row) {
        guard try body(epoch.identifier, epoch.epoch) else { return }
      }
    }
  }

  /// Every run of a meter, oldest first.
  public func runs(of meter: DeviceAddress) throws(StoreError) -> [StoredRun] {
    try snapshot { () throws(StoreError) -> [StoredRun] in
      guard let row = try statements(DeviceStatements.self).identifier(of: meter) else { return [] }
      let query = try statements(ReadingStatements.self).runs
      query.bind(1, row)
      var runs: [StoredRun] = []
      while try query.next() {
        runs.append(
          StoredRun(
            meter: meter,
            outcome: query.text(0) ?? "",
            detail: query.text(1),
            isComplete: query.flag(2),
            startedAt: query.real(3),
            duration: query.real(4) ?? 0,
            transferDuration: query.real(5) ?? 0,
            request: query.octets(6),
            received: Int(query.integer(7)),
            contexts: Int(query.integer(8)),
            stored: Int(query.integer(9)),
            alreadyHeld: Int(query.integer(10)),
            deleted: Int(query.integer(11)),
            epoch: UInt32(clamping: query.integer(12)),
            mark: query.integer(13),
            count: query.integer(14),
            security: LinkSecurity(
              level: UInt8(clamping: query.integer(15)),
              keySize: UInt8(clamping: query.integer(16))
            ),
            roundTrips: Int(query.integer(17)),
            usedCache: query.flag(18)
          )
        )
      }
      return runs
    }
  }
}

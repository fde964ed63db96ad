public import BluetoothWire
import HealthProfiles
public import RecordCollector

extension RecordStore: RecordKeeping {
  public func memory(of meter: DeviceAddress) throws(StoreError) -> MeterMemory {
    try snapshot { () throws(StoreError) -> MeterMemory in
      var memory = MeterMemory()
      let devices = try statements(DeviceStatements.self)
      memory.epoch = try devices.firstEpoch(of: meter, service: StoredService.glucose.rawValue)
      guard let device = try devices.identifier(of: meter) else { return memory }
      let meters = try statements(MeterStatements.self)
      var identity = SensorIdentity(address: meter)
      if try meters.describe(device, &identity, &memory.unsupported) { memory.identity = identity }
      memory.attributes = try meters.attributes(of: device)
      memory.isBonded = try statements(BondStatements.self).exists(device: device)
      guard let epoch = try devices.newestEpoch(of: device, service: StoredService.glucose.rawValue) else {
        return memory
      }
      memory.epoch = epoch.number
      memory.mark = epoch.mark
      memory.newestBaseTime = try? unsafe DateTime(decoding: epoch.markBaseTime.span.bytes)
      memory.heldRecords = try meters.countRecords(epoch: epoch.identifier)
      memory.runsSinceFullFetch = epoch.runsSinceFullFetch
      return memory
    }
  }

  public func records(
    of meter: DeviceAddress,
    epoch: UInt32,
    sequenceNumber: UInt16
  ) throws(StoreError) -> [CollectedRecord] {
    try snapshot { () throws(StoreError) -> [CollectedRecord] in
      guard let device = try statements(DeviceStatements.self).identifier(of: meter) else { return [] }
      let rows = try statements(ReadingStatements.self).epochs(of: device)
      guard let row = rows.first(where: { $0.epoch.number == epoch }) else { return [] }
      return try statements(HeldRecords.self).records(row.identifier, sequenceNumber).map(\.record)
    }
  }

  public func remember(attributes: AttributeCache?, of meter: DeviceAddress) throws(StoreError) {
    try change(meter) { (meters, device) throws(StoreError) in try meters.remember(attributes, of: device) }
  }

  public func remember(unsupported: UnsupportedRequests, of meter: DeviceAddress) throws(StoreError) {
    try change(meter) { (meters, device) throws(StoreError) in try meters.remember(unsupported, of: device) }
  }

  public func remember(identity: SensorIdentity) throws(StoreError) {
    try change(identity.address) { (meters, device) throws(StoreError) in try meters.remember(identity, of: device) }
  }

  public func record(run: SyncRun, of meter: DeviceAddress) throws(StoreError) {
    try change(meter) { (meters, device) throws(StoreError) in try meters.record(run, of: device) }
  }

  private func change(
    _ meter: DeviceAddress,
    _ body: (MeterStatements, Int64) throws(StoreError) -> Void
  ) throws(StoreError) {
    let devices = try statements(DeviceStatements.self)
    let meters = try statements(MeterStatements.self)
    try database.transaction { () throws(StoreError) -> Void in
      try body(meters, devices.identifier(adding: meter))
    }
  }
}

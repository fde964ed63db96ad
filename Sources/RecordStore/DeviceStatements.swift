import BluetoothWire

/// Finds and adds devices and their epochs.
final class DeviceStatements: StatementSet {
  private let find: Statement
  private let add: Statement
  private let newestEpoch: Statement
  private let forgottenEpoch: Statement
  private let addEpoch: Statement
  private let database: Database

  init(_ database: Database) throws(StoreError) {
    self.database = database
    find = try database.prepare("SELECT id FROM devices WHERE address = ?1 AND address_type = ?2")
    add = try database.prepare("INSERT INTO devices (address, address_type) VALUES (?1, ?2)")
    newestEpoch = try database.prepare(
      """
      SELECT id, number, mark, mark_base_time, runs_since_full_fetch FROM epochs WHERE device_id = ?1 AND service = ?2
      ORDER BY number DESC LIMIT 1
      """
    )
    forgottenEpoch = try database.prepare(
      "SELECT number FROM forgotten_epochs WHERE address = ?1 AND address_type = ?2 AND service = ?3"
    )
    addEpoch = try database.prepare("INSERT INTO epochs (device_id, service, number) VALUES (?1, ?2, ?3)")
  }

  /// The row of an epoch.
  struct Epoch {
    var identifier: Int64
    var number: UInt32
    var mark: UInt16?
    /// The octets of the base time of the record at the mark.
    var markBaseTime: [UInt8] = []
    var runsSinceFullFetch: UInt32 = 0
  }

  func identifier(of meter: DeviceAddress) throws(StoreError) -> Int64? {
    find.bind(1, text: meter.description)
    find.bind(2, constant: meter.storedType)
    defer { find.reset() }
    return try find.next() ? find.integer(0) : nil
  }

  /// The row of the device, made where there is none.
  func identifier(adding meter: DeviceAddress) throws(StoreError) -> Int64 {
    if let found = try identifier(of: meter) { return found }
    add.bind(1, text: meter.description)
    add.bind(2, constant: meter.storedType)
    try add.run()
    return database.lastIdentifier
  }

  func newestEpoch(of device: Int64, service: UInt16) throws(StoreError) -> Epoch? {
    newestEpoch.bind(1, device)
    newestEpoch.bind(2, Int64(service))
    defer { newestEpoch.reset() }
    guard try newestEpoch.next() else { return nil }
    return Epoch(
      identifier: newestEpoch.integer(0),
      number: UInt32(clamping: newestEpoch.integer(1)),
      mark: newestEpoch.integer(2),
      markBaseTime: newestEpoch.octets(3),
      runsSinceFullFetch: UInt32(clamping: newestEpoch.integer(4))
    )
  }

  /// The number the first epoch gets: that of the last one where the device was forgotten, so that records which come
  /// again have the identifiers they had.
  func firstEpoch(of meter: DeviceAddress, service: UInt16) throws(StoreError) -> UInt32 {
    forgottenEpoch.bind(1, text: meter.description)
    forgottenEpoch.bind(2, constant: meter.storedType)
    forgottenEpoch.bind(3, Int64(service))
    defer { forgottenEpoch.reset() }
    return try forgottenEpoch.next() ? UInt32(clamping: forgottenEpoch.integer(0)) : 0
  }

  func add(epoch number: UInt32, to device: Int64, service: UInt16) throws(StoreError) -> Epoch {
    addEpoch.bind(1, device)
    addEpoch.bind(2, Int64(service))
    addEpoch.bind(3, Int64(number))
    try addEpoch.run()
    return Epoch(identifier: database.lastIdentifier, number: number)
  }
}

extension DeviceAddress {
  /// The word the store keeps for the type of the address.
  var storedType: StaticString { isRandom ? "random" : "public" }
}

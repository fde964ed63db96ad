import BluetoothWire

/// Reads and writes the keys of bonds.
final class BondStatements: StatementSet {
  private let find: Statement
  private let keys: Statement
  private let add: Statement
  private let addKey: Statement
  private let remove: Statement

  init(_ database: Database) throws(StoreError) {
    find = try database.prepare("SELECT identity_resolving_key FROM bonds WHERE device_id = ?1")
    keys = try database.prepare(
      """
      SELECT type, is_central, key_size, diversifier, random, value FROM long_term_keys WHERE device_id = ?1
      ORDER BY ordinal
      """
    )
    add = try database.prepare("INSERT INTO bonds (device_id, identity_resolving_key) VALUES (?1, ?2)")
    addKey = try database.prepare("INSERT INTO long_term_keys VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
    remove = try database.prepare("DELETE FROM bonds WHERE device_id = ?1")
  }

  func exists(device: Int64) throws(StoreError) -> Bool {
    find.bind(1, device)
    defer { find.reset() }
    return try find.next()
  }

  func bond(of device: Int64, _ meter: DeviceAddress) throws(StoreError) -> StoredBond? {
    find.bind(1, device)
    defer { find.reset() }
    guard try find.next() else { return nil }
    var bond = StoredBond(address: meter, longTermKeys: [])
    if !find.isNull(0) { bond.identityResolvingKey = find.octets(0) }
    keys.bind(1, device)
    while try keys.next() {
      bond.longTermKeys.append(
        StoredLongTermKey(
          type: UInt8(clamping: keys.integer(0)),
          isCentral: keys.flag(1),
          keySize: UInt8(clamping: keys.integer(2)),
          diversifier: UInt16(clamping: keys.integer(3)),
          random: UInt64(bitPattern: keys.integer(4)),
          value: keys.octets(5)
        )
      )
    }
    return bond
  }

  func save(_ bond: StoredBond, of device: Int64) throws(StoreError) {
    try remove(device: device)
    add.bind(1, device)
    add.bind(2, octets: bond.identityResolvingKey)
    try add.run()
    add.bindNull(2)
    for (ordinal, key) in bond.longTermKeys.enumerated() {
      addKey.bind(1, device)
      addKey.bind(2, Int64(ordinal))
      addKey.bind(3, Int64(key.type))
      addKey.bind(4, key.isCentral)
      addKey.bind(5, Int64(key.keySize))
      addKey.bind(6, Int64(key.diversifier))
      addKey.bind(7, Int64(bitPattern: key.random))
      try addKey.run(octets: key.value, at: 8)
    }
  }

  func remove(device: Int64) throws(StoreError) {
    remove.bind(1, device)
    try remove.run()
  }
}

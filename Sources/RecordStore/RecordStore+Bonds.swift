public import BluetoothWire

extension RecordStore {
  /// The keys of the bond with a meter; nil where there is none.
  public func bond(with meter: DeviceAddress) throws(StoreError) -> StoredBond? {
    try snapshot { () throws(StoreError) -> StoredBond? in
      guard let device = try statements(DeviceStatements.self).identifier(of: meter) else { return nil }
      return try statements(BondStatements.self).bond(of: device, meter)
    }
  }

  /// The keys of every bond: what an adapter without a Bluetooth daemon is given before it connects.
  public func bonds() throws(StoreError) -> [StoredBond] {
    try snapshot { () throws(StoreError) -> [StoredBond] in
      var bonds: [StoredBond] = []
      for meter in try addresses() {
        if let bond = try bond(with: meter) { bonds.append(bond) }
      }
      return bonds
    }
  }

  /// Keeps the keys of a bond in place of those of an earlier one.
  ///
  /// - Throws: `.refused` where a key has not 16 octets.
  public func save(_ bond: StoredBond) throws(StoreError) {
    let keys = bond.longTermKeys.map(\.value) + (bond.identityResolvingKey.map { [$0] } ?? [])
    guard keys.allSatisfy({ $0.count == 16 }) else {
      throw .refused("a key of the bond with \(bond.address) has not 16 octets.")
    }
    try database.transaction { () throws(StoreError) -> Void in
      let device = try statements(DeviceStatements.self).identifier(adding: bond.address)
      try statements(BondStatements.self).save(bond, of: device)
    }
  }

  /// Forgets the keys of the bond with a meter, and the handles that were found under it (Core Vol 3 Part G 2.5.2), and
  /// nothing else of it; nothing happens where there are none.
  public func forgetBond(with meter: DeviceAddress) throws(StoreError) {
    try database.transaction { () throws(StoreError) -> Void in
      guard let device = try statements(DeviceStatements.self).identifier(of: meter) else { return }
      try statements(BondStatements.self).remove(device: device)
      try statements(MeterStatements.self).remember(nil, of: device)
    }
    try emptyLog()
  }

  /// Empties the write-ahead log, in which what was removed still stands; another reader may delay that.
  func emptyLog() throws(StoreError) {
    _ = try database.number("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}

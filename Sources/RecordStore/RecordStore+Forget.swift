public import BluetoothWire
import RecordCollector

extension RecordStore {
  /// Forgets everything of a meter: records, runs, handles, keys. Nothing happens where the store never saw it.
  ///
  /// Where the meter's numbers had started anew, the address and the number of the last epoch stay: a record that is
  /// fetched again must get the identifier it had, and no other's. The file keeps no octet of the rest.
  ///
  /// - Parameter lock: that of this meter, so that no run is under way.
  public func forget(_ meter: DeviceAddress, holding lock: borrowing MeterLock) throws(StoreError) {
    let statements = try statements(ForgetStatements.self)
    try database.transaction { () throws(StoreError) -> Void in
      let devices = try self.statements(DeviceStatements.self)
      guard let device = try devices.identifier(of: meter) else { return }
      try statements.forget(device)
    }
    try emptyLog()
  }
}

/// Removes a device.
final class ForgetStatements: StatementSet {
  private let keepEpochs: Statement
  /// Children before parents: a cascade would look for the children of every row.
  private let removals: [Statement]

  init(_ database: Database) throws(StoreError) {
    keepEpochs = try database.prepare(
      """
      INSERT OR REPLACE INTO forgotten_epochs
      SELECT devices.address, devices.address_type, epochs.service, max(epochs.number)
      FROM devices JOIN epochs ON epochs.device_id = devices.id WHERE devices.id = ?1
      GROUP BY epochs.service HAVING max(epochs.number) > 0
      """
    )
    removals = [
      try database.prepare(
        "DELETE FROM contexts WHERE epoch_id IN (SELECT id FROM epochs WHERE device_id = ?1)"
      ),
      try database.prepare(
        "DELETE FROM records WHERE epoch_id IN (SELECT id FROM epochs WHERE device_id = ?1)"
      ),
      try database.prepare("DELETE FROM devices WHERE id = ?1"),
    ]
  }

  func forget(_ device: Int64) throws(StoreError) {
    keepEpochs.bind(1, device)
    try keepEpochs.run()
    for removal in removals {
      removal.bind(1, device)
      try removal.run()
    }
  }
}

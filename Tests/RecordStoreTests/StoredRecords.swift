import BluetoothWire
import RecordStore

extension RecordStore {
  /// All records of a meter at once.
  func allRecords(of meter: DeviceAddress = Sample.meter) throws(StoreError) -> [StoredRecord] {
    var all: [StoredRecord] = []
    try records(of: meter) { record in
      all.append(record)
      return true
    }
    return all
  }

  func allOrphans(of meter: DeviceAddress = Sample.meter) throws(StoreError) -> [StoredOrphan] {
    var all: [StoredOrphan] = []
    try orphans(of: meter) { orphan in
      all.append(orphan)
      return true
    }
    return all
  }
}

/// The error a piece of work ends with; nil where it ends well.
func storeError(_ body: () throws(StoreError) -> Void) -> StoreError? {
  do {
    try body()
    return nil
  } catch {
    return error
  }
}

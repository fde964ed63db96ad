import BluetoothWire
import RecordCollector
import RecordStore
import Reporting

/// Reads one meter's rows of a store into a side of a comparison.
enum CompareStore {
  /// False, with a complaint, where the store holds no such meter, or several that fit.
  static func read(_ meter: String, from path: String, into side: inout ComparisonSide) throws(StoreError) -> Bool {
    let store = try RecordStore(reading: path)
    for notice in store.notices { Complaint.write(notice.description, hint: "") }
    let all = try store.devices()
    let filter = DeviceFilter(meter)
    let found = all.filter { device in
      filter.matches(address: device.address, names: [device.identity.name.map { Array($0.utf8) }])
    }
    guard found.count == 1, let device = found.first else {
      let problem = found.isEmpty ? "no meter in \(path) matches" : "several meters in \(path) match"
      Complaint.write("\(problem) \"\(meter)\"", hint: StoreSettings.hint(found.isEmpty ? all : found))
      return false
    }
    let name = device.identity.name.map { Array($0.utf8) }
    try store.snapshot { () throws(StoreError) -> Void in
      side.take(try store.runs(of: device.address), of: device.address, name: name)
      try store.records(of: device.address) { stored in
        side.take(
          measurement: stored.record.value,
          contexts: stored.record.contexts.map(\.value),
          offset: stored.record.offset,
          of: device.address,
          name: name
        )
        return true
      }
    }
    return true
  }
}

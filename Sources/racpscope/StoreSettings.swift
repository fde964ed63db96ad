import BluetoothWire
import CommandLineInterface
import HealthProfiles
import RecordCollector
import RecordStore
import Reporting

/// What `store` was asked to do.
struct StoreSettings {
  var format: StoreFormat
  var device: String?
  var since: DateTime?
  var zone: TimeText.Zone
  var isConfirmed: Bool

  init(_ arguments: ParsedArguments, action: StoreCommand.Action) throws(UsageError) {
    let asked = arguments.value("--format").flatMap(StoreFormat.init(rawValue:))
    if action == .export, asked == .table {
      throw UsageError("a table is not an export", hint: "use --format csv or jsonl, or 'racpscope store records'")
    }
    format = asked ?? (action == .export ? .jsonl : .table)
    device = arguments.value("--device")
    if action == .forget, device == nil {
      throw UsageError("forget needs to know which meter", hint: "name it with --device")
    }
    zone = SharedOptions.zone(arguments)
    isConfirmed = arguments.flag("--yes")
    since = try SharedOptions.since(arguments)
  }

  /// The meters that were asked for; nil, with a complaint, where there is none.
  func devices(of store: RecordStore) throws(StoreError) -> [StoredDevice]? {
    let all = try store.devices()
    guard let device else { return all }
    let filter = DeviceFilter(device)
    let found = all.filter { entry in
      let identity = entry.identity
      let names = [identity.name, identity.model, identity.serial].map { $0.map { Array($0.utf8) } }
      return filter.matches(address: entry.address, names: names)
    }
    guard found.isEmpty else { return found }
    Complaint.write("no meter in \(store.name) matches \"\(device)\"", hint: Self.hint(all))
    return nil
  }

  /// Which meters there are.
  static func hint(_ devices: [StoredDevice]) -> String {
    let titles = devices.map { Listing.device($0.address, $0.identity.name.map { Array($0.utf8) }) }
    return Listing.there(titles, none: "it holds none")
  }
}

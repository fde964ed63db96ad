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
      throw UsageError("a table is no export", hint: "use --format csv or jsonl, or 'racpscope store records'")
    }
    format = asked ?? (action == .export ? .jsonl : .table)
    device = arguments.value("--device")
    if action == .forget, device == nil {
      throw UsageError("forget needs to know which meter", hint: "name it with --device")
    }
    zone = SharedOptions.zone(arguments)
    isConfirmed = arguments.flag("--yes")
    if let text = arguments.value("--since") {
      guard let time = RecordsOptions.time(text) else {
        throw UsageError("'\(text)' is no time", hint: "write 2026-01-05 or 2026-01-05T07:30")
      }
      since = time
    }
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

  static func hint(_ devices: [StoredDevice]) -> String {
    let titles = devices.prefix(12).map { device in
      device.address.description + (device.identity.name.map { " (\($0))" } ?? "")
    }
    let rest = devices.count > titles.count ? " and \(devices.count - titles.count) more" : ""
    switch devices.count {
    case 0: return "it holds none"
    case 1: return "there is " + titles.joined()
    default: return "there are " + titles.joined(separator: ", ") + rest
    }
  }
}

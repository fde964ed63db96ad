import BluetoothWire
import RecordCollector
public import RecordStore

/// The meters of a store, one a line.
public enum StoreDevicesReport {
  private static let identity: [StoreColumn<StoredDevice>] = [
    StoreColumn("device") { .text($0.address.description) },
    StoreColumn("address_type") { .text($0.address.isRandom ? "random" : "public") },
    StoreColumn("name") { .text($0.identity.name) },
    StoreColumn("manufacturer") { .text($0.identity.manufacturer) },
    StoreColumn("model") { .text($0.identity.model) },
    StoreColumn("serial") { .text($0.identity.serial) },
    StoreColumn("firmware") { .text($0.identity.firmware) },
  ]
  private static let epoch: [StoreColumn<StoredEpoch>] = [
    StoreColumn("service") { .text(hex(UInt64($0.service.rawValue), digits: 4)) },
    StoreColumn("epoch") { .number($0.number) },
    StoreColumn("mark") { .number($0.mark) },
    StoreColumn("records") { .number($0.records) },
    StoreColumn("variants") { .number($0.variants) },
    StoreColumn("missing_contexts") { .number($0.missingContexts) },
    StoreColumn("orphan_contexts") { .number($0.orphanContexts) },
  ]
  private static let syncs: [StoreColumn<StoredDevice>] = [
    StoreColumn("runs") { .number($0.runs) },
    StoreColumn("last_sync") { .text(time($0.lastSync, &$1)) },
  ]

  /// - Parameter zone: of the time of the last sync in the table; programs get UTC.
  public static func write(
    _ devices: [StoredDevice],
    _ format: StoreFormat,
    zone: TimeText.Zone,
    on terminal: Terminal,
    to output: inout OutputBuffer
  ) {
    switch format {
    case .table: table(devices, zone, terminal, &output)
    case .csv:
      output.append((identity.map(\.name) + epoch.map(\.name) + syncs.map(\.name)).csvHeader)
      for device in devices { csv(device, &output) }
    case .jsonl:
      for device in devices { json(device, &output) }
    }
  }

  private static func table(
    _ devices: [StoredDevice],
    _ zone: TimeText.Zone,
    _ terminal: Terminal,
    _ output: inout OutputBuffer
  ) {
    guard !devices.isEmpty else { return output.append("No meter in the store.\n") }
    var clock = TimeText(zone)
    var table = ColumnTable([
      ("address", .left), ("name", .left), ("model", .left), ("serial", .left), ("records", .right),
      ("highest", .right),
      ("last sync", .left), ("notes", .left),
    ])
    for device in devices {
      let identity = device.identity
      let model = [identity.manufacturer, identity.model].compactMap { $0 }.joined(separator: " ")
      table.append([
        device.address.description, TextEscaping.terminal(identity.name ?? ""), TextEscaping.terminal(model),
        TextEscaping.terminal(identity.serial ?? ""), String(device.recordCount),
        device.epochs.last?.mark.map { String($0) } ?? "", time(device.lastSync, &clock) ?? "never",
        notes(device).joined(separator: ", "),
      ])
    }
    table.write(on: terminal, to: &output)
  }

  private static func notes(_ device: StoredDevice) -> [String] {
    var notes: [String] = []
    let variants = device.epochs.reduce(0) { $0 + $1.variants }
    let missing = device.epochs.reduce(0) { $0 + $1.missingContexts }
    let orphans = device.epochs.reduce(0) { $0 + $1.orphanContexts }
    if let number = device.epochs.last?.number, number > 0 { notes.append("numbers restarted, epoch \(number)") }
    if variants > 0 { notes.append("\(variants) with other content under a known number") }
    if missing > 0 { notes.append(missing == 1 ? "1 context missing" : "\(missing) contexts missing") }
    if orphans > 0 { notes.append(orphans == 1 ? "1 context without record" : "\(orphans) contexts without record") }
    return notes
  }

  /// A line for each epoch; one without epoch where no record was ever committed.
  private static func csv(_ device: StoredDevice, _ output: inout OutputBuffer) {
    var clock = TimeText(.utc)
    for stored in device.epochs.isEmpty ? [nil] : device.epochs.map(Optional.some) {
      var row = CSVRow()
      row.cells(device, identity, &clock)
      if let stored { row.cells(stored, epoch, &clock) } else { row.blank(epoch.count) }
      row.cells(device, syncs, &clock)
      output.append(row.end())
    }
  }

  private static func json(_ device: StoredDevice, _ output: inout OutputBuffer) {
    var clock = TimeText(.utc)
    var json = JSONWriter(OutputBuffer())
    json.beginObject()
    json.member("schema", "racpscope/store-device/1")
    json.members(device, identity, &clock)
    json.members(device, syncs, &clock)
    json.key("epochs")
    json.beginArray()
    for stored in device.epochs {
      json.beginObject()
      json.members(stored, epoch, &clock)
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.endDocument()
    output.append(json.output.octets)
  }

  static func time(_ seconds: Double?, _ clock: inout TimeText) -> String? {
    guard let seconds, let microseconds = Int64(exactly: (seconds * 1e6).rounded()) else { return nil }
    return clock.timestamp(microseconds)
  }
}

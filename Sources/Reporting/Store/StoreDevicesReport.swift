import BluetoothWire
import RecordCollector
public import RecordStore

/// The meters of a store, one a line.
public enum StoreDevicesReport {
  static let header =
    "device,address_type,name,manufacturer,model,serial,firmware,service,epoch,mark,records,variants,missing_contexts,"
    + "orphan_contexts,runs,last_sync\n"

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
      output.append(header)
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
    let identity = device.identity
    var clock = TimeText(.utc)
    for epoch in device.epochs.isEmpty ? [nil] : device.epochs.map(Optional.some) {
      var row = CSVRow()
      row.text(device.address.description)
      row.text(device.address.isRandom ? "random" : "public")
      for text in [identity.name, identity.manufacturer, identity.model, identity.serial, identity.firmware] {
        row.text(text)
      }
      row.text(epoch.map { hex(UInt64($0.service.rawValue), digits: 4) })
      row.number(epoch?.number)
      row.number(epoch?.mark)
      row.number(epoch?.records)
      row.number(epoch?.variants)
      row.number(epoch?.missingContexts)
      row.number(epoch?.orphanContexts)
      row.number(device.runs)
      row.text(time(device.lastSync, &clock))
      output.append(row.end())
    }
  }

  private static func json(_ device: StoredDevice, _ output: inout OutputBuffer) {
    let identity = device.identity
    var clock = TimeText(.utc)
    var json = JSONWriter(OutputBuffer())
    json.beginObject()
    json.member("schema", "racpscope/store-device/1")
    json.member("device", device.address.description)
    json.member("address_type", device.address.isRandom ? "random" : "public")
    json.member("name", identity.name)
    json.member("manufacturer", identity.manufacturer)
    json.member("model", identity.model)
    json.member("serial", identity.serial)
    json.member("firmware", identity.firmware)
    json.member("runs", device.runs)
    json.member("last_sync", time(device.lastSync, &clock))
    json.key("epochs")
    json.beginArray()
    for epoch in device.epochs {
      json.beginObject()
      json.member("service", hex(UInt64(epoch.service.rawValue), digits: 4))
      json.member("epoch", epoch.number)
      json.member("mark", epoch.mark)
      json.member("records", epoch.records)
      json.member("variants", epoch.variants)
      json.member("missing_contexts", epoch.missingContexts)
      json.member("orphan_contexts", epoch.orphanContexts)
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

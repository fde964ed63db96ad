import BluetoothWire
import RecordCollector
public import RecordStore

/// The sync runs of a store, one a line, oldest first.
public enum StoreRunsReport {
  private static let columns: [StoreColumn<StoredRun>] = [
    StoreColumn("device") { .text($0.meter.description) },
    StoreColumn("address_type") { .text($0.meter.isRandom ? "random" : "public") },
    StoreColumn("started") { .text(StoreDevicesReport.time($0.startedAt, &$1)) },
    StoreColumn("outcome") { .text($0.outcome) },
    StoreColumn("detail") { .text($0.detail) },
    StoreColumn("complete") { .flag($0.isComplete) },
    StoreColumn("duration_s") { .digits(seconds($0.duration)) },
    StoreColumn("transfer_s") { .digits(seconds($0.transferDuration)) },
    StoreColumn("request") { .text(hex($0.request)) },
    StoreColumn("received") { .number($0.received) },
    StoreColumn("contexts") { .number($0.contexts) },
    StoreColumn("stored") { .number($0.stored) },
    StoreColumn("already_held") { .number($0.alreadyHeld) },
    StoreColumn("deleted") { .number($0.deleted) },
    StoreColumn("epoch") { .number($0.epoch) },
    StoreColumn("mark") { .number($0.mark) },
    StoreColumn("count") { .number($0.count) },
    StoreColumn("security_level") { .number($0.security.level) },
    StoreColumn("key_size") { .number($0.security.keySize) },
    StoreColumn("round_trips") { .number($0.roundTrips) },
    StoreColumn("used_cache") { .flag($0.usedCache) },
  ]

  /// - Parameter zone: of the times in the table; programs get UTC.
  public static func write(
    _ runs: [StoredRun],
    _ format: StoreFormat,
    zone: TimeText.Zone,
    on terminal: Terminal,
    to output: inout OutputBuffer
  ) {
    switch format {
    case .table: table(runs, zone, terminal, &output)
    case .csv:
      output.append(columns.map(\.name).csvHeader)
      for run in runs { csv(run, &output) }
    case .jsonl:
      for run in runs { json(run, &output) }
    }
  }

  private static func table(
    _ runs: [StoredRun],
    _ zone: TimeText.Zone,
    _ terminal: Terminal,
    _ output: inout OutputBuffer
  ) {
    guard !runs.isEmpty else { return output.append("No run in the store.\n") }
    var clock = TimeText(zone)
    var table = ColumnTable([
      ("started", .left), ("address", .left), ("new", .right), ("held", .right), ("took", .right), ("outcome", .left),
    ])
    for run in runs {
      table.append([
        StoreDevicesReport.time(run.startedAt, &clock) ?? "", run.meter.description, String(run.stored),
        String(run.alreadyHeld), TimeText.duration(Int64(exactly: (run.duration * 1e6).rounded()) ?? 0),
        TextEscaping.terminal(run.outcome.split(separator: "_").joined(separator: " "))
          + (run.detail.map { ": " + TextEscaping.terminal($0) } ?? ""),
      ])
    }
    table.write(on: terminal, to: &output)
  }

  private static func csv(_ run: StoredRun, _ output: inout OutputBuffer) {
    var clock = TimeText(.utc)
    var row = CSVRow()
    row.cells(run, columns, &clock)
    output.append(row.end())
  }

  private static func json(_ run: StoredRun, _ output: inout OutputBuffer) {
    var clock = TimeText(.utc)
    var json = JSONWriter(OutputBuffer())
    json.beginObject()
    json.member("schema", "racpscope/store-run/1")
    json.members(run, columns, &clock)
    json.endObject()
    json.endDocument()
    output.append(json.output.octets)
  }

  /// Milliseconds are enough.
  private static func seconds(_ seconds: Double) -> String {
    var text = OutputBuffer()
    text.append(fixed: Int64(exactly: (seconds * 1_000).rounded()) ?? 0, places: 3)
    return text.text
  }
}

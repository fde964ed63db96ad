import BluetoothWire
import RecordCollector
public import RecordStore

/// The sync runs of a store, one a line, oldest first.
public enum StoreRunsReport {
  static let header =
    "device,address_type,started,outcome,detail,complete,duration_s,transfer_s,request,received,contexts,stored,"
    + "already_held,deleted,epoch,mark,count,security_level,key_size,round_trips,used_cache\n"

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
      output.append(header)
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
    row.text(run.meter.description)
    row.text(run.meter.isRandom ? "random" : "public")
    row.text(StoreDevicesReport.time(run.startedAt, &clock))
    row.text(run.outcome)
    row.text(run.detail)
    row.flag(run.isComplete)
    row.verbatim(seconds(run.duration))
    row.verbatim(seconds(run.transferDuration))
    row.text(hex(run.request))
    for number in [run.received, run.contexts, run.stored, run.alreadyHeld, run.deleted] { row.number(number) }
    row.number(run.epoch)
    row.number(run.mark)
    row.number(run.count)
    row.number(run.security.level)
    row.number(run.security.keySize)
    row.number(run.roundTrips)
    row.flag(run.usedCache)
    output.append(row.end())
  }

  private static func json(_ run: StoredRun, _ output: inout OutputBuffer) {
    var clock = TimeText(.utc)
    var json = JSONWriter(OutputBuffer())
    json.beginObject()
    json.member("schema", "racpscope/store-run/1")
    json.member("device", run.meter.description)
    json.member("address_type", run.meter.isRandom ? "random" : "public")
    json.member("started", StoreDevicesReport.time(run.startedAt, &clock))
    json.member("outcome", run.outcome)
    json.member("detail", run.detail)
    json.member("complete", run.isComplete)
    json.key("duration_s")
    json.value(verbatim: seconds(run.duration))
    json.key("transfer_s")
    json.value(verbatim: seconds(run.transferDuration))
    json.member("request", hex(run.request))
    json.member("received", run.received)
    json.member("contexts", run.contexts)
    json.member("stored", run.stored)
    json.member("already_held", run.alreadyHeld)
    json.member("deleted", run.deleted)
    json.member("epoch", run.epoch)
    json.member("mark", run.mark)
    json.member("count", run.count)
    json.member("security_level", run.security.level)
    json.member("key_size", run.security.keySize)
    json.member("round_trips", run.roundTrips)
    json.member("used_cache", run.usedCache)
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

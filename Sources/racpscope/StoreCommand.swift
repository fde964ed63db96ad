import CommandLineInterface
import RecordStore
import Reporting

/// `racpscope store`: what is in a store, out of it again, and a meter's part gone.
enum StoreCommand {
  static let declaration = Subcommand(
    "store",
    summary: "list, export or forget what syncs have stored",
    examples: [
      Example("racpscope store list --store meters.db", "the meters, and how much is held of each"),
      Example("racpscope store records --store meters.db --since 2026-01-05", "readings for a person"),
      Example("racpscope store runs --store meters.db", "every sync and how it ended"),
      Example(
        "racpscope store export --store meters.db --format jsonl > readings.jsonl",
        "every reading for a program"
      ),
      Example("racpscope store forget --store meters.db --device F0:0D:CA:FE:00:01", "remove a meter, after asking"),
    ],
    positional: Positional(
      "ACTION",
      minimum: 1,
      maximum: 1,
      kind: .choice(Action.allCases.map(\.rawValue)),
      summary: "what to do"
    ),
    options: [
      Option("--store", value: .file("FILE"), summary: "the store that 'racpscope sync' made"),
      SharedOptions.format(
        StoreFormat.allCases.map(\.rawValue),
        defaultValue: nil,
        "how to write it: table where nothing is said, jsonl for export"
      ),
      SharedOptions.device, SharedOptions.since,
      SharedOptions.utc, SharedOptions.output,
      Option("--yes", summary: "forget without asking"),
    ],
    details: [
      "Each exported record has a sync identifier made of device, epoch and sequence number, the same in every export: "
        + "what imports twice by it creates nothing twice.",
      "Keys of bonds are never listed or exported. Forget removes them too, and the meter must be paired again.",
      "Exit status: 0 done, 1 nothing was forgotten, 2 usage or no such store, 5 the meter is being synced.",
    ]
  )

  /// The words after `store`.
  enum Action: String, CaseIterable { case list, records, runs, export, forget }

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    guard let action = Action(rawValue: arguments.positionals.first ?? "") else {
      throw UsageError("store does not know that action", hint: "say list, records, runs, export or forget")
    }
    guard let path = arguments.value("--store") else {
      throw UsageError("store \(action.rawValue) needs a store", hint: "name the file with --store")
    }
    let settings = try StoreSettings(arguments, action: action)
    let store: RecordStore
    let devices: [StoredDevice]
    do throws(StoreError) {
      store =
        action == .forget ? try RecordStore(path: path, creating: false) : try RecordStore(reading: path)
      for notice in store.notices { Complaint.write(notice.description, hint: "") }
      guard let found = try settings.devices(of: store) else { return .usage }
      if action == .forget { return try StoreForget(settings).run(found, in: store) }
      devices = found
    } catch {
      return SyncExit.complain(error)
    }
    let destination = try Destination(arguments.value("--output"), inputs: [path])
    do throws(StoreError) {
      return try write(action, devices, of: store, settings, destination)
    } catch {
      return SyncExit.complain(error)
    }
  }

  private static func write(
    _ action: Action,
    _ devices: [StoredDevice],
    of store: RecordStore,
    _ settings: StoreSettings,
    _ destination: Destination
  ) throws(StoreError) -> ExitStatus {
    let terminal = Terminal.behind(descriptor: destination.descriptor)
    var output = OutputBuffer(descriptor: destination.descriptor)
    do throws(StoreError) {
      switch action {
      case .list: StoreDevicesReport.write(devices, settings.format, zone: settings.zone, on: terminal, to: &output)
      case .runs:
        var runs: [StoredRun] = []
        for device in devices { runs += try store.runs(of: device.address) }
        StoreRunsReport.write(runs, settings.format, zone: settings.zone, on: terminal, to: &output)
      case .records, .export: output = try records(devices, of: store, settings, terminal, output)
      case .forget: break
      }
    } catch {
      _ = destination.end(output, isKept: false)
      throw error
    }
    return destination.end(output)
  }

  /// All meters as the store was at one moment.
  private static func records(
    _ devices: [StoredDevice],
    of store: RecordStore,
    _ settings: StoreSettings,
    _ terminal: Terminal,
    _ output: OutputBuffer
  ) throws(StoreError) -> OutputBuffer {
    var report = StoreRecordsReport(settings.format, since: settings.since, terminal: terminal, output: output)
    try store.snapshot { () throws(StoreError) -> Void in
      for device in devices {
        report.begin(device)
        try store.records(of: device.address) { record in
          report.write(record)
          return report.isOpen
        }
        try store.orphans(of: device.address) { orphan in
          report.write(orphan)
          return report.isOpen
        }
      }
    }
    return report.finish()
  }
}

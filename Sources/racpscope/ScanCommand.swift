import BluetoothWire
import CommandLineInterface
import Glibc
import LinuxBluetooth
import RecordStore
import Reporting

/// `racpscope scan`: what advertises, health devices first.
enum ScanCommand {
  static let declaration = Subcommand(
    "scan",
    summary: "list the Bluetooth Low Energy devices in range, health devices first",
    examples: [
      Example("racpscope scan", "live, until Ctrl-C"),
      Example("racpscope scan --seconds 10 --store meters.db", "for ten seconds, with what is bonded"),
      Example("racpscope scan --seconds 10 --format jsonl", "for a script: a line for each device and each news of it"),
    ],
    options: [
      Option("--seconds", short: "-s", value: .value("N"), summary: "stop after so many seconds"),
      SyncSettings.adapter,
      Option("--store", value: .file("FILE"), summary: "the store of 'sync', to tell which devices are bonded"),
      SharedOptions.format(["text", "jsonl"], "how to write them"),
    ],
    details: [
      "A + marks health devices. Names are what the devices say, with control characters escaped.",
      "Exit status: 0, 2 wrong usage, 3 no permission or no adapter, 5 the adapter is busy.",
    ]
  )

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    let seconds = try arguments.number("--seconds")
    var bonded: [DeviceAddress]?
    if let path = arguments.value("--store") {
      do {
        bonded = try RecordStore(reading: path).bonds().map(\.address)
      } catch {
        return SyncExit.complain(error)
      }
    }
    do throws(BluetoothError) {
      return try scan(arguments, seconds, bonded)
    } catch {
      return error.kind == .stopped ? .done : SyncExit.complain(error)
    }
  }

  private static func scan(
    _ arguments: ParsedArguments,
    _ seconds: UInt32?,
    _ bonded: [DeviceAddress]?
  ) throws(BluetoothError) -> ExitStatus {
    var loop = EventLoop(catchesSignals: true)
    let (control, adapter) = try SyncAdapter.open(
      arguments.value("--adapter"),
      bonds: nil,
      capability: .none,
      purpose: "scan",
      &loop
    )
    guard adapter.isManaged else { throw .missingPermission("scan") }
    var discovery = Discovery(control, adapter)
    try discovery.start(&loop)
    defer { discovery.stop(&loop) }
    var view = ScanView(isJSON: arguments.value("--format") == "jsonl") { address in
      if let bonded { return bonded.contains { $0.value == address.value } }
      return adapter.daemonRuns ? BluetoothDaemon.holdsBond(adapter: adapter.address, peer: address) : nil
    }
    let end = seconds.map { MonotonicClock.now() + UInt64($0) * 1_000_000_000 }
    while !loop.isStopped, view.isOpen {
      let now = MonotonicClock.now()
      if let end, now >= end { break }
      for device in try discovery.listen(until: min(end ?? .max, now + 500_000_000), &loop) { view.take(device) }
      view.refresh()
    }
    return view.finish()
  }
}

import BluetoothWire
import CommandLineInterface
import LinuxBluetooth
import Reporting

/// `racpscope adapters`: the Bluetooth adapters of this machine.
enum AdaptersCommand {
  static let declaration = Subcommand(
    "adapters",
    summary: "list the Bluetooth adapters of this machine",
    examples: [
      Example("racpscope adapters", "which there are, and whether they are on"),
      Example("racpscope adapters --format jsonl", "for a script"),
    ],
    options: [
      SharedOptions.format(["text", "jsonl"], "how to write them")
    ],
    details: ["No privilege is needed. Exit status: 0, or 3 where there is no adapter."]
  )

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    var loop = EventLoop(catchesSignals: false)
    let adapters: [AdapterFacts]
    do throws(ChannelFailure) {
      adapters = try AdapterFacts.all(&loop)
    } catch {
      return SyncExit.complain(.channel(error, purpose: "list the adapters"))
    }
    guard !adapters.isEmpty else { return SyncExit.complain(.noAdapter) }
    var output = OutputBuffer(descriptor: 1)
    if arguments.value("--format") == "jsonl" {
      output = AdapterTable.jsonLines(adapters.map(line), to: output)
    } else {
      AdapterTable.text(adapters.map(line), Terminal.behind(descriptor: 1), to: &output)
    }
    return Destination.standardOutput.end(output)
  }

  private static func line(_ facts: AdapterFacts) -> AdapterLine {
    let power = facts.information.map { $0.current.contains(.powered) ? "on" : "off" } ?? (facts.isUp ? "up" : "down")
    return AdapterLine(
      name: facts.name,
      address: facts.address.description,
      bus: facts.bus,
      version: facts.information?.versionText,
      power: power,
      hasLowEnergy: facts.information?.supported.contains(.lowEnergy),
      alias: facts.information?.name ?? []
    )
  }
}

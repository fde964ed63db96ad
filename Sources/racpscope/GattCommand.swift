import CaptureFiles
import CommandLineInterface
import LinkTrace
import Reporting

/// `racpscope gatt`: the attribute table of each device.
enum GattCommand {
  static let declaration = Subcommand(
    "gatt",
    summary: "list the attributes of each device and how their names are known",
    examples: [
      Example("racpscope gatt trace.btsnoop", "every attribute table in the capture"),
      Example("racpscope gatt --format json pairing.btsnoop > meter.json", "keep it for a capture without discovery"),
      Example("racpscope --gatt meter.json reconnect.btsnoop", "and use it there"),
    ],
    positional: SharedOptions.files,
    options: [
      Option(
        "--format",
        short: "-f",
        value: .choice("FORMAT", ["text", "json"]),
        defaultValue: "text",
        summary: "how to write it"
      ),
      SharedOptions.device, SharedOptions.join, SharedOptions.gatt,
    ]
  )

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    let memory = try SharedOptions.memory(arguments)
    let device = arguments.value("--device").map(DeviceFilter.init)
    let inputs = InputStories(arguments.positionals, join: arguments.flag("--join"))
    var status = inputs.errors.isEmpty ? ExitStatus.done : .usage
    for error in inputs.errors { Complaint.write(error) }
    var tables: [GattTable] = []
    for story in inputs.stories {
      do {
        let run = try CaptureRun(story, memory: memory, progress: .silent) { GattTables() }
        tables += run.report.tables
      } catch {
        Complaint.write(error)
        status = .usage
      }
    }
    if let device { tables = tables.filter { device.matches(address: $0.address, names: [$0.name]) } }
    var output = OutputBuffer(descriptor: 1)
    if arguments.value("--format") == "json" {
      output = GattJSON(output).write(tables)
    } else {
      GattText(Terminal.behind(descriptor: 1)).write(tables, to: &output)
    }
    output.flush()
    return status
  }
}

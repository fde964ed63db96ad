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
      Example("racpscope gatt --gatt meter.json reconnect.btsnoop", "and use it there, as every command does"),
    ],
    positional: SharedOptions.files,
    options: [
      SharedOptions.format(["text", "json"], "how to write it"),
      SharedOptions.device, SharedOptions.join, SharedOptions.gatt,
    ]
  )

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    let memory = try SharedOptions.memory(arguments)
    let inputs = InputStories(arguments.positionals, join: arguments.flag("--join"))
    var status = inputs.errors.isEmpty ? ExitStatus.done : .usage
    for error in inputs.errors { Complaint.write(error) }
    var tables: [GattTable] = []
    var isRead = false
    ParallelStories.each(inputs.stories) { story in
      do throws(CaptureError) {
        let run = try CaptureRun(story, memory: memory, progress: .silent) { GattTables() }
        return Result<[GattTable], CaptureError>.success(run.report.tables)
      } catch {
        return .failure(error)
      }
    } take: { result in
      switch result {
      case .success(let found):
        tables += found
        isRead = true
      case .failure(let error):
        Complaint.write(error)
        status = .usage
      }
      return true
    }
    guard isRead else { return .usage }
    let isJSON = arguments.value("--format") == "json"
    if let name = arguments.value("--device") {
      let device = DeviceFilter(name)
      let all = tables
      tables = all.filter { device.matches(address: $0.address, names: [$0.name]) }
      if tables.isEmpty {
        NothingMatches.complain(device: name, among: all.map(\.deviceTitle))
        status = .usage
        if !isJSON { return status }
      }
    }
    var output = OutputBuffer(descriptor: 1)
    if isJSON {
      output = GattJSON(output).write(tables)
    } else {
      GattText(Terminal.behind(descriptor: 1)).write(tables, to: &output)
    }
    return status.joined(with: Destination.standardOutput.end(output))
  }
}

import CaptureFiles
import CommandLineInterface
import Glibc
import LinkTrace
import Reporting

/// `racpscope show`: what happened, one screen first.
enum ShowCommand {
  static let declaration = Subcommand(
    "show",
    summary: "tell what happened between the phone and the meter",
    examples: [
      Example("racpscope btsnoop_hci.log", "the story of an Android log"),
      Example("racpscope bugreport.zip", "every Bluetooth log inside a bug report"),
      Example("racpscope --join btsnoop_hci.log.last btsnoop_hci.log", "one story of two rotated logs"),
      Example("racpscope show --device GM-1 trace.btsnoop", "only one meter"),
    ],
    positional: SharedOptions.files,
    options: [
      SharedOptions.device, SharedOptions.link,
      Option("--all", summary: "tell every link in full, however many there are"),
      SharedOptions.join, SharedOptions.gatt, SharedOptions.utc,
    ],
    details: [
      "Frame numbers (#12) are those of Wireshark and btmon for the same file.",
      "What the capture does not show is listed as 'cannot say', with the reason.",
    ]
  )

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    let options = try options(arguments)
    let memory = try SharedOptions.memory(arguments)
    if arguments.positionals == ["-"] { return stream(options, memory) }
    let terminal = Terminal.behind(descriptor: 1)
    let inputs = InputStories(arguments.positionals, join: arguments.flag("--join"))
    let besideReading = ParallelStories.leaveProcessors(inputs.stories.count)
    return ParallelStories.write(inputs) { sources, progress throws(CaptureError) in
      let run = try CaptureRun(sources, memory: memory, progress: progress, besideReading: besideReading) {
        StoryReport(options)
      }
      var output = OutputBuffer()
      var writer = StoryWriter(terminal, options.zone)
      writer.write(run.report, run.facts, run.totals, to: &output)
      return .init(name: run.facts.name, output: output, lacking: run.report.lacking)
    }
  }

  private static func options(_ arguments: ParsedArguments) throws(UsageError) -> StoryOptions {
    var options = StoryOptions()
    options.all = arguments.flag("--all")
    options.device = arguments.value("--device")
    options.link = try arguments.number("--link")
    options.zone = SharedOptions.zone(arguments)
    return options
  }

  /// Standard input is told link by link, while it is captured.
  private static func stream(_ options: StoryOptions, _ memory: TraceMemory) -> ExitStatus {
    // Ctrl-C ends btmon as well, and with it the input: the open link is still told. A second one ends the program.
    signal(SIGINT) { _ in signal(SIGINT, SIG_DFL) }
    let terminal = Terminal.behind(descriptor: 1)
    do {
      let sources = try captures(in: "-")
      let run = try CaptureRun(sources, memory: memory, progress: .silent) {
        StoryReport(options, streamingTo: OutputBuffer(descriptor: 1), on: terminal)
      }
      var report = run.report
      guard let output = report.finishStream(run.facts, run.totals) else { return .done }
      let written = Destination.standardOutput.end(output)
      guard let what = report.lacking, output.isOpen else { return written }
      NothingMatches.complain([(run.facts.name, what)])
      return .usage
    } catch {
      Complaint.write(error)
      return .usage
    }
  }
}

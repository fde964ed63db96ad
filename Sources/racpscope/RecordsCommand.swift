import CaptureFiles
import CommandLineInterface
import LinkTrace
import Reporting

/// `racpscope records`: every reading that came over.
enum RecordsCommand {
  static let declaration = Subcommand(
    "records",
    summary: "list every reading, in both units, with its context",
    examples: [
      Example("racpscope records --format csv trace.btsnoop > readings.csv", "every reading for a spreadsheet"),
      Example("racpscope records --device GM-1 --since 2026-01-05 trace.btsnoop", "one meter, from a day on"),
      Example("racpscope records --duplicates drop --format jsonl a.log b.log", "each reading of two logs once"),
    ],
    positional: SharedOptions.files,
    options: [
      SharedOptions.format(["table", "csv", "jsonl"], "how to write them"),
      SharedOptions.device, SharedOptions.since,
      Option(
        "--duplicates",
        value: .choice("WHAT", ["keep", "drop"]),
        defaultValue: "keep",
        summary: "what becomes of a reading delivered again"
      ),
      SharedOptions.join, SharedOptions.gatt, SharedOptions.utc, SharedOptions.output,
    ],
    details: [
      "Values are given in mg/dL and mmol/L; the unit column says which one the meter sent.",
      "A missing time offset means the last one received, as the profile says; it is marked.",
    ]
  )

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    var options = RecordsOptions()
    options.format = arguments.value("--format").flatMap(RecordsOptions.Format.init(rawValue:)) ?? .table
    options.duplicates = arguments.value("--duplicates").flatMap(RecordsOptions.Duplicates.init(rawValue:)) ?? .keep
    options.device = arguments.value("--device")
    options.zone = SharedOptions.zone(arguments)
    options.since = try SharedOptions.since(arguments)
    let supplied = try SharedOptions.memory(arguments)
    let destination = try SharedOptions.destination(arguments)
    let inputs = InputStories(arguments.positionals, join: arguments.flag("--join"))
    var status = inputs.errors.isEmpty ? ExitStatus.done : .usage
    for error in inputs.errors { Complaint.write(error) }
    let stories = inputs.stories
    let lessons = NamesPass(stories, supplied)
    let terminal = Terminal.behind(descriptor: destination.descriptor)
    var summaries: [Int: RecordsSummary] = [:]
    var isRead = false
    var output = OrderedOutput.write(
      lessons.groups,
      to: OutputBuffer(descriptor: destination.descriptor),
      areParted: options.format == .table
    ) { [options] group in
      RecordsReport(options, output: OutputBuffer(), terminal: terminal, isFollowing: group > 0)
    } work: { report, index, output in
      report.begin(output)
      var failure: CaptureError?
      do throws(CaptureError) {
        try read(stories[index], lessons.memory(of: index), into: &report)
      } catch {
        failure = error
      }
      return .init(output: report.takeOutput(), result: (summary: report.summary, failure: failure))
    } take: { index, result in
      // The last of a group tells of all of it.
      summaries[lessons.groups.firstIndex { $0.contains(index) } ?? 0] = result.summary
      guard let failure = result.failure else {
        isRead = true
        return
      }
      Complaint.write(failure)
      status = .usage
    }
    var whole = RecordsSummary()
    for (_, summary) in summaries.sorted(by: { $0.key < $1.key }) { whole.add(summary) }
    // Of inputs that could not be read the errors tell.
    if isRead { whole.write(options.format, terminal, to: &output) }
    if let device = options.device, isRead, !whole.hasChosenDevice, output.isOpen {
      NothingMatches.complain(device: device, among: whole.devices)
      status = .usage
    }
    return status.joined(with: destination.end(output, isKept: isRead))
  }

  /// Reads one capture, or several as one.
  private static func read(
    _ story: [CaptureSource],
    _ memory: TraceMemory,
    into report: inout RecordsReport
  ) throws(CaptureError) {
    guard let first = story.first else { return }
    report.file = first.name
    var tracker = LinkTracker(memory: memory)
    var meter = ProgressMeter(first.name, isShown: Terminal.behind(descriptor: 2).isTerminal)
    defer { meter.clear() }
    try JoinedCaptures.read(
      story,
      join: { next, frame in report.join(next.name, from: frame) },
      piece: { reader in
        while tracker.read(&reader, into: &report, atMost: ProgressMeter.stride) {
          meter.tick(frames: reader.frameCount)
        }
        return true
      }
    )
    tracker.finish(into: &report)
  }
}

import CaptureFiles
import CommandLineInterface
import LinkTrace
import RecordStore
import Reporting

/// `racpscope compare`: what one fetch has and another lacks, and where they part.
enum CompareCommand {
  static let declaration = Subcommand(
    "compare",
    summary: "compare two fetches: which readings one lacks, and at which packet it went wrong",
    examples: [
      Example("racpscope compare vendor.btsnoop reference.btsnoop", "what the vendor's app missed"),
      Example(
        "racpscope compare --store meters.db vendor.btsnoop store:F0:0D:CA:FE:00:01",
        "against what sync has stored"
      ),
      Example("racpscope compare --join old.log,new.log reference.btsnoop", "a rotated log on one side"),
      Example("racpscope compare --ignore-identity unit1.btsnoop unit2.btsnoop", "two meters of one model"),
    ],
    positional: Positional(
      "SIDE",
      minimum: 2,
      maximum: 2,
      kind: .file,
      summary: "a capture, several with commas between them, or store:ADDRESS"
    ),
    options: [
      SharedOptions.format(["text", "json"], "how to write it"),
      Option("--store", value: .file("FILE"), summary: "the store that store:ADDRESS is read from"),
      Option("--ignore-identity", summary: "take all devices for one; base time and sequence number still align"),
      SharedOptions.device,
      Option(
        "--join",
        summary: "read the captures of a side as one, in the order of their time: for rotated logs"
      ),
      SharedOptions.gatt, SharedOptions.utc, SharedOptions.output,
    ],
    details: [
      "Readings are the same where device, base time and sequence number are.",
      "Exit status: 0 the first side has every reading of the second, 1 it lacks one, 2 wrong usage or unreadable "
        + "input, 3 neither side holds a reading.",
    ]
  )

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    let memory = try SharedOptions.memory(arguments)
    let sources = try arguments.positionals.map { word throws(UsageError) in
      try CompareSource(word, store: arguments.value("--store"))
    }
    guard sources.count == 2 else { throw UsageError("compare needs two sides", hint: "name two captures") }
    if sources.allSatisfy(\.readsStandardInput) {
      throw UsageError("both sides cannot be standard input", hint: "name a file for one of them")
    }
    let files = sources.flatMap(\.files) + [arguments.value("--store")].compactMap { $0 }
    let destination = try Destination(arguments.value("--output"), inputs: files + arguments.values("--gatt"))
    guard let first = read(sources[0], arguments, memory), let second = read(sources[1], arguments, memory) else {
      return .usage
    }
    let comparison = Comparison(first, second, ignoringIdentity: arguments.flag("--ignore-identity"))
    var output = OutputBuffer(descriptor: destination.descriptor)
    if arguments.value("--format") == "json" {
      var json = ComparisonJSON(comparison, output: output, zone: SharedOptions.zone(arguments))
      output = json.write(version: version)
    } else {
      let terminal = Terminal.behind(descriptor: destination.descriptor)
      ComparisonText(terminal, SharedOptions.zone(arguments)).write(comparison, to: &output)
    }
    let written = destination.end(output)
    return written == .done ? ExitStatus(rawValue: comparison.exitCode) ?? .usage : written
  }

  /// Nil, with a complaint, where anything of the side cannot be read: half a side would lack readings it has.
  private static func read(
    _ source: CompareSource,
    _ arguments: ParsedArguments,
    _ memory: TraceMemory
  ) -> ComparisonSide? {
    var side = ComparisonSide(
      source.title,
      ignoringIdentity: arguments.flag("--ignore-identity"),
      device: arguments.value("--device")
    )
    switch source.kind {
    case .store(let meter, let path):
      do throws(StoreError) {
        return try CompareStore.read(meter, from: path, into: &side) ? side : nil
      } catch {
        Complaint.write(error)
        return nil
      }
    case .captures(let paths):
      let inputs = InputStories(paths, join: arguments.flag("--join"))
      for error in inputs.errors { Complaint.write(error) }
      guard inputs.errors.isEmpty else { return nil }
      // What one capture tells of a device names the handles of the others.
      let memories = inputs.stories.count > 1 ? NamesPass(inputs.stories, memory).sharedMemories : [memory]
      for (story, known) in zip(inputs.stories, memories) {
        do throws(CaptureError) {
          let meter = ProgressMeter(story[0].name, isShown: Terminal.behind(descriptor: 2).isTerminal)
          let before = side
          let run = try CaptureRun(story, memory: known, progress: meter) { before }
          side = run.report
          side.finish(run.facts)
        } catch {
          Complaint.write(error)
          return nil
        }
      }
      return side
    }
  }
}

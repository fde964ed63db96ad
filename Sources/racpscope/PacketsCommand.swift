import CaptureFiles
import CommandLineInterface
import LinkTrace
import Reporting

/// `racpscope packets`: one line a frame, with names.
enum PacketsCommand {
  static let declaration = Subcommand(
    "packets",
    summary: "print one line a frame, with names and decoded values",
    examples: [
      Example("racpscope packets --frames 160-180 trace.btsnoop", "what stands around a finding"),
      Example("racpscope packets --link 2 --hex trace.btsnoop", "one link with its octets, keys left out"),
      Example("racpscope packets --format jsonl trace.btsnoop", "a line of JSON a frame, for scripts"),
    ],
    positional: SharedOptions.files,
    options: [
      Option("--frames", value: .value("A-B"), summary: "only these frames: 10-20, 10-, -20 or 10"),
      SharedOptions.link,
      Option("--hex", short: "-x", summary: "the octets of each frame below it; key material is written as zeros"),
      SharedOptions.format(["text", "jsonl"], "how to write them"),
      Option("--wide", summary: "do not cut lines at 160 columns, or at the terminal's width"),
      SharedOptions.join, SharedOptions.gatt, SharedOptions.utc, SharedOptions.output,
    ],
    details: [
      "A name that is only inferred from traffic is followed by a question mark.",
      "Standard input is read once: a handle is named from its discovery on, and no name is inferred. Save the stream to "
        + "a file to have every frame named.",
    ]
  )

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    var options = PacketsOptions()
    options.format = arguments.value("--format").flatMap(PacketsOptions.Format.init(rawValue:)) ?? .text
    options.hasOctets = arguments.flag("--hex")
    options.link = try arguments.number("--link")
    options.frames = try arguments.range("--frames")
    options.isWide = arguments.flag("--wide")
    options.zone = SharedOptions.zone(arguments)
    let memory = try SharedOptions.memory(arguments)
    let destination = try SharedOptions.destination(arguments)
    let terminal = Terminal.behind(descriptor: destination.descriptor)
    if terminal.isTerminal { options.columns = min(options.columns, terminal.width) }
    let inputs = InputStories(arguments.positionals, join: arguments.flag("--join"))
    var status = inputs.errors.isEmpty ? ExitStatus.done : .usage
    for error in inputs.errors { Complaint.write(error) }
    var isRead = false
    var writtenCount = 0
    let stories = inputs.stories
    let output = OrderedOutput.write(
      stories.indices.map { [$0] },
      to: OutputBuffer(descriptor: destination.descriptor)
    ) { _ in
      ()
    } work: { [options] _, index, output in
      do throws(CaptureError) {
        let report = try write(stories[index], options, memory, output)
        return .init(output: report.output, result: Result<Int, CaptureError>.success(report.writtenCount))
      } catch {
        return .init(output: output, result: Result<Int, CaptureError>.failure(error))
      }
    } take: { _, result in
      switch result {
      case .success(let count):
        isRead = true
        writtenCount += count
      case .failure(let error):
        Complaint.write(error)
        status = .usage
      }
    }
    if writtenCount == 0 && (options.link != nil || options.frames != nil) { status = .usage }
    return status.joined(with: destination.end(output, isKept: isRead))
  }

  private static func write(
    _ story: [CaptureSource],
    _ options: PacketsOptions,
    _ supplied: TraceMemory,
    _ output: OutputBuffer
  ) throws(CaptureError) -> PacketsReport {
    guard let first = story.first else { return PacketsReport(options, output: output) }
    let isStream = story.contains { $0.format == .undetermined }
    let survey = isStream ? nil : try SurveyedFrames.of(story, memory: supplied)
    survey?.complain(options)
    if isStream {
      Complaint.write(
        "\(first.name) is read once: handles are named from their discovery on, and no name is inferred",
        hint: "save it to a file to have every frame named"
      )
    }
    var report = PacketsReport(
      options,
      output: output,
      survey: survey?.packets,
      memory: survey?.memory ?? supplied
    )
    let reader = try JoinedCaptures.read(
      story,
      piece: { reader in
        report.read(&reader)
        let isAtEnd = reader.frameCount >= options.frames?.upperBound ?? .max
        return report.output.isOpen && !isAtEnd
      }
    )
    if isStream && report.writtenCount == 0 && report.output.isOpen {
      if let frames = options.frames, frames.lowerBound > reader.frameCount || frames.upperBound == 0 {
        NothingMatches.complain(frames: frames, in: first.name, count: reader.frameCount)
      } else if let link = options.link {
        NothingMatches.complain(link: link, in: first.name)
      }
    }
    report.finish()
    return report
  }
}

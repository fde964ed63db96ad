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
      Option(
        "--format",
        short: "-f",
        value: .choice("FORMAT", ["text", "jsonl"]),
        defaultValue: "text",
        summary: "how to write them"
      ),
      Option("--wide", summary: "do not cut lines at 160 columns"),
      SharedOptions.join, SharedOptions.gatt, SharedOptions.utc, SharedOptions.output,
    ],
    details: ["A name that is only inferred from traffic is followed by a question mark."]
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
    let inputs = InputStories(arguments.positionals, join: arguments.flag("--join"))
    var status = inputs.errors.isEmpty ? ExitStatus.done : .usage
    for error in inputs.errors { Complaint.write(error) }
    var isRead = false
    let stories = inputs.stories
    let output = OrderedOutput.write(
      stories.indices.map { [$0] },
      to: OutputBuffer(descriptor: destination.descriptor)
    ) { _ in
      ()
    } work: { [options] _, index, output in
      do throws(CaptureError) {
        return .init(output: try write(stories[index], options, memory, output), result: CaptureError?.none)
      } catch {
        return .init(output: output, result: error)
      }
    } take: { _, error in
      if let error {
        Complaint.write(error)
        status = .usage
      } else {
        isRead = true
      }
    }
    return status.joined(with: destination.end(output, isKept: isRead))
  }

  private static func write(
    _ story: [CaptureSource],
    _ options: PacketsOptions,
    _ supplied: TraceMemory,
    _ output: OutputBuffer
  ) throws(CaptureError) -> OutputBuffer {
    guard let first = story.first else { return output }
    let isStream = story.contains { $0.format == .undetermined }
    let survey = isStream ? nil : try SurveyedFrames.of(story, memory: supplied)
    survey?.complain(options)
    var report = PacketsReport(
      options,
      output: output,
      survey: survey?.packets,
      memory: survey?.memory ?? supplied
    )
    var reader = try CaptureReader.open(first)
    var rest = story.dropFirst()
    while true {
      report.read(&reader)
      let isAtEnd = options.frames.map { reader.frameCount >= $0.upperBound } ?? false
      guard report.output.isOpen, !isAtEnd, let next = rest.popFirst() else { break }
      try reader.continue(with: next)
    }
    if isStream, let frames = options.frames, frames.lowerBound > reader.frameCount {
      NothingMatches.complain(frames: frames, in: first.name, count: reader.frameCount)
    }
    report.finish()
    return report.output
  }
}

import CaptureFiles
import LinkTrace
import Reporting
import Scenarios

/// The story of a capture as `show` prints it.
enum StoryText {
  static func of(
    _ octets: [UInt8],
    width: Int = 100,
    _ change: (inout StoryOptions) -> Void = { _ in }
  ) throws -> String {
    var options = StoryOptions()
    options.zone = .utc
    change(&options)
    let sources = try captures(in: .memory(octets, name: "capture"))
    let run = try CaptureRun(sources, memory: TraceMemory(), progress: .silent) { StoryReport(options) }
    var output = OutputBuffer()
    var writer = StoryWriter(Terminal(width: width), .utc)
    writer.write(run.report, run.facts, run.totals, to: &output)
    return output.text
  }

  static func of(_ name: String, width: Int = 100) throws -> String {
    guard let scenario = Scenario.named(name) else { return "" }
    return try of(scenario.capture(), width: width)
  }
}

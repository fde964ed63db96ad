public import CaptureFiles
import Glibc
import LinkTrace
import Reporting

/// What is measured, each stage with the ones before it.
public enum Stage: String, CaseIterable, Sendable {
  /// Reading the file and looking at every frame.
  case walk
  /// Links, attributes, procedures and their records, let go as each link ends.
  case track
  /// The story, in one pass.
  case show
  /// Every record as CSV, to /dev/null.
  case records
  /// Every record as JSON lines, to /dev/null.
  case recordsJSON = "records-jsonl"
  /// Every record as a table, to /dev/null.
  case recordsTable = "records-table"
  /// One line a frame in two passes, to /dev/null.
  case packets
  /// The same as JSON lines.
  case packetsJSON = "packets-jsonl"
  /// All rules, over links, devices and the capture.
  case lint

  /// Works on one thread and without Swift concurrency: valgrind does not survive libdispatch's threads.
  public func run(_ input: CaptureInput) throws(CaptureError) {
    switch self {
    case .walk: try Self.walk(input)
    case .track: try Self.track(input)
    case .show: try Self.show(input)
    case .records: try Self.records(input, .csv)
    case .recordsJSON: try Self.records(input, .jsonl)
    case .recordsTable: try Self.records(input, .table)
    case .packets: try Self.packets(input, .text)
    case .packetsJSON: try Self.packets(input, .jsonl)
    case .lint: try Self.lint(input)
    }
  }

  /// Lets every link go.
  private struct NoReport: LinkConsumer {
    mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker) {}
  }

  private static func walk(_ input: CaptureInput) throws(CaptureError) {
    var reader = try CaptureReader.open(input)
    while reader.next() != nil {}
  }

  private static func track(_ input: CaptureInput) throws(CaptureError) {
    var reader = try CaptureReader.open(input)
    var tracker = LinkTracker()
    var report = NoReport()
    tracker.read(&reader, into: &report)
    tracker.finish(into: &report)
  }

  private static func show(_ input: CaptureInput) throws(CaptureError) {
    var options = StoryOptions()
    options.zone = .utc
    let run = try CaptureRun(
      captures(in: input),
      memory: TraceMemory(),
      progress: .silent,
      allowsSecondPass: false
    ) { StoryReport(options) }
    var output = OutputBuffer()
    var writer = StoryWriter(Terminal(), .utc)
    writer.write(run.report, run.facts, run.totals, to: &output)
  }

  private static func packets(_ input: CaptureInput, _ format: PacketsOptions.Format) throws(CaptureError) {
    var options = PacketsOptions()
    options.format = format
    options.zone = .utc
    let survey = try CaptureRun(
      captures(in: input),
      memory: TraceMemory(),
      progress: .silent,
      allowsSecondPass: false
    ) { PacketSurvey() }
    let null = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(null) }
    var report = PacketsReport(
      options,
      output: OutputBuffer(descriptor: null),
      survey: survey.report,
      memory: survey.memory
    )
    var reader = try CaptureReader.open(input)
    report.read(&reader)
    report.finish()
  }

  private static func records(_ input: CaptureInput, _ format: RecordsOptions.Format) throws(CaptureError) {
    var options = RecordsOptions()
    options.format = format
    options.zone = .utc
    let null = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { close(null) }
    var report = RecordsReport(options, output: OutputBuffer(descriptor: null))
    var reader = try CaptureReader.open(input)
    var tracker = LinkTracker()
    tracker.read(&reader, into: &report)
    tracker.finish(into: &report)
    report.finish()
  }

  private static func lint(_ input: CaptureInput) throws(CaptureError) {
    let run = try CaptureRun(
      captures(in: input),
      memory: TraceMemory(),
      progress: .silent,
      allowsSecondPass: false
    ) { LintReport(LintOptions()) }
    let capture = run.report.capture(run.facts, files: [], baseline: nil)
    var output = OutputBuffer()
    LintFormat.text.write(
      LintRun([capture], unreadable: [], options: LintOptions(), threshold: .error, allowsEmpty: false, version: ""),
      zone: .utc,
      terminal: Terminal(),
      to: &output
    )
  }
}

public import CaptureFiles
public import LinkTrace

/// One capture, or several that are joined, judged by itself, with what it told of its devices.
public struct LintStory: Sendable {
  public let sources: [CaptureSource]
  public let capture: LintCapture
  /// Microseconds since 1970 UTC; the largest number where no frame has a time.
  let start: Int64
  let memory: TraceMemory

  /// - Parameters:
  ///   - memory: the names that are known before.
  ///   - besideReading: true where a second thread may judge while the capture is read on.
  public init(
    _ sources: [CaptureSource],
    memory: TraceMemory,
    options: LintOptions,
    baseline: Baseline? = nil,
    progress: ProgressMeter = .silent,
    besideReading: Bool = false
  ) throws(CaptureError) {
    let run = try CaptureRun(sources, memory: memory, progress: progress, besideReading: besideReading) {
      LintReport(options)
    }
    self.sources = sources
    capture = run.report.capture(run.facts, files: sources.map(\.name), baseline: baseline)
    start = run.totals.firstTime ?? .max
    self.memory = run.memory
  }

  /// The stories that others of the run name better than they do themselves, and with which names they are to be judged
  /// once more; a stream is gone once it has been read.
  public static func betterNamed(_ stories: [LintStory]) -> [(index: Int, memory: TraceMemory)] {
    guard stories.count > 1 else { return [] }
    let names = SharedNames(stories.map { ($0.start, $0.memory) })
    return stories.indices.compactMap { index in
      guard !stories[index].sources.contains(where: { $0.format == .undetermined }) else { return nil }
      return names.better(for: index).map { (index, $0) }
    }
  }
}

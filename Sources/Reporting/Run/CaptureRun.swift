public import CaptureFiles
public import LinkTrace

/// Reads one capture, or several joined ones, into a report.
///
/// A file whose links teach something about earlier links (a discovery after a bonded reconnection, an identity key
/// after its private address, records after a link on which the two only paired) is read a second time with what the
/// first pass learned; a stream is told with what is known so far.
public struct CaptureRun<Report: LinkConsumer> {
  /// The report after the last frame.
  public var report: Report
  public var totals: CaptureTotals
  public var facts: CaptureFacts
  public var memory: TraceMemory

  /// Frames read between two looks at the progress meter.
  private static var stride: Int { ProgressMeter.stride }

  /// Reads `sources` as one story.
  ///
  /// - Parameters:
  ///   - memory: what the user supplied.
  ///   - makeReport: makes an empty report; called again for a second pass.
  public init(
    _ sources: [CaptureSource],
    memory: TraceMemory,
    progress: ProgressMeter,
    allowsSecondPass: Bool = true,
    makeReport: () -> Report
  ) throws(CaptureError) {
    self = try Self.passes(sources, memory, allowsSecondPass: allowsSecondPass) {
      memory throws(CaptureError) in
      try Self.pass(sources, memory, progress, makeReport()) { $0 }
    }
  }

  /// The last pass over `sources` that is needed.
  private static func passes(
    _ sources: [CaptureSource],
    _ memory: TraceMemory,
    allowsSecondPass: Bool,
    _ pass: (TraceMemory) throws(CaptureError) -> CaptureRun
  ) throws(CaptureError) -> CaptureRun {
    let first = try pass(memory)
    let isStream = sources.contains { $0.format == .undetermined }
    guard first.memory.learnedLate && allowsSecondPass && !isStream else { return first }
    var known = first.memory
    known.startSecondPass(after: memory)
    return try pass(known)
  }

  private init(_ report: Report, _ tracker: LinkTracker, _ facts: CaptureFacts) {
    self.report = report
    totals = tracker.totals
    memory = tracker.memory
    self.facts = facts
  }

  private static func pass<Consumer: LinkConsumer>(
    _ sources: [CaptureSource],
    _ memory: TraceMemory,
    _ progress: ProgressMeter,
    _ empty: Consumer,
    report: (Consumer) -> Report
  ) throws(CaptureError) -> CaptureRun {
    var consumer = empty
    var meter = progress
    defer { meter.clear() }
    var tracker = LinkTracker(memory: memory)
    let first = sources.first?.name ?? ""
    var parts = [CaptureFacts.Part(name: first, firstFrame: 1)]
    let reader = try JoinedCaptures.read(
      sources,
      join: { next, frame in parts.append(CaptureFacts.Part(name: next.name, firstFrame: frame)) },
      piece: { reader in
        while tracker.read(&reader, into: &consumer, atMost: stride) { meter.tick(frames: reader.frameCount) }
        return true
      }
    )
    tracker.finish(into: &consumer)
    let name = sources.count == 1 ? first : "\(first) and \(sources.count - 1) more"
    var facts = CaptureFacts(reader, name: name, format: reader.source.format.title)
    if parts.count > 1 { facts.parts = parts }
    return CaptureRun(report(consumer), tracker, facts)
  }
}

extension CaptureRun where Report: SeparateReport {
  /// The same; the report is made on a thread of its own where `besideReading` is true.
  public init(
    _ sources: [CaptureSource],
    memory: TraceMemory,
    progress: ProgressMeter,
    besideReading: Bool,
    makeReport: () -> Report
  ) throws(CaptureError) {
    guard besideReading else {
      try self.init(sources, memory: memory, progress: progress, makeReport: makeReport)
      return
    }
    self = try Self.passes(sources, memory, allowsSecondPass: true) { memory throws(CaptureError) in
      try Self.pass(sources, memory, progress, ReportThread(makeReport())) { $0.finish() }
    }
  }
}

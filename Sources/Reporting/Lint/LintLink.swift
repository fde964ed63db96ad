import LinkTrace

/// A link with findings.
public struct LintLink: Sendable {
  /// Its number in the run.
  var number: UInt32
  var adapter: UInt16
  var handle: UInt16
  var frames: ClosedRange<UInt32>
  /// Microseconds since 1970 UTC.
  var firstTime: Int64
  /// The worst first.
  var findings: [LintFinding] = []

  init(_ history: borrowing LinkHistory) {
    number = history.number
    adapter = history.adapter
    handle = history.handle
    let first = history.start?.frame ?? history.firstFrame
    frames = first...max(first, history.lastFrame, history.end.frame)
    firstTime = history.firstTime
  }

  var weight: Int { findings.map(\.weight).max() ?? 0 }
}

import LinkTrace

/// A link with findings.
public struct LintLink: Sendable {
  /// Its number in the run; 0 stands for the capture itself.
  var number: UInt32
  var frames: ClosedRange<UInt32>
  /// Microseconds since 1970 UTC.
  var firstTime: Int64
  /// The worst first.
  var findings: [LintFinding] = []

  init(_ history: borrowing LinkHistory) {
    number = history.number
    let first = history.start?.frame ?? history.firstFrame
    frames = first...max(first, history.lastFrame, history.end.frame)
    firstTime = history.firstTime
  }

  init(_ link: DeviceLink) {
    number = link.number
    frames = link.firstFrame...max(link.firstFrame, link.lastFrame)
    firstTime = link.firstTime
  }

  /// The whole of a capture, with findings about it.
  init(frames count: UInt32, findings: [LintFinding]) {
    number = 0
    frames = 1...max(1, count)
    firstTime = 0
    self.findings = findings
  }

  var weight: Int { findings.map(\.weight).max() ?? 0 }
}

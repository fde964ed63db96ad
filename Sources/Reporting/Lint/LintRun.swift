public import CaptureFiles
import ProtocolLint

/// The judgement of everything that one command was given.
public struct LintRun: Sendable {
  /// In the order of the command line.
  public private(set) var captures: [LintCapture]
  /// Inputs that could not be read.
  let unreadable: [CaptureError]
  let threshold: FailureThreshold
  private let allowsEmpty: Bool
  /// The version of the program.
  let version: String
  /// The rules that judged.
  let rules: [RuleDescription]

  public init(
    _ captures: [LintCapture],
    unreadable: [CaptureError],
    options: LintOptions,
    threshold: FailureThreshold,
    allowsEmpty: Bool,
    version: String
  ) {
    var judged = captures
    if captures.count > 1 && !options.judgesSeparately { LintCapture.join(&judged, options) }
    self.captures = judged
    self.unreadable = unreadable
    self.threshold = threshold
    self.allowsEmpty = allowsEmpty
    self.version = version
    rules = options.selection.rules.map(\.description).filter { options.selection.isReported($0) }
  }

  /// A new baseline holds every finding of the run, which then count no more.
  public mutating func accept() -> Baseline {
    let baseline = Baseline(captures)
    for index in captures.indices { captures[index].suppress(baseline) }
    return baseline
  }

  /// Captures in which there is nothing to judge, and why.
  public var emptyFiles: [(name: String, reason: String)] {
    captures.filter(\.isEmpty).map { ($0.facts.name, $0.emptiness) }
  }

  /// 0 judged and nothing that counts, 1 findings at or above the threshold, 2 unreadable input, 3 nothing to judge.
  public var exitCode: Int32 {
    if !unreadable.isEmpty { return 2 }
    if captures.contains(where: { hasFailed($0) }) { return 1 }
    return captures.allSatisfy(\.isEmpty) && !allowsEmpty ? 3 : 0
  }

  /// What the exit code says.
  var verdict: String {
    switch exitCode {
    case 0: captures.allSatisfy(\.isEmpty) ? "nothing to judge, as allowed" : "judged, and nothing that counts"
    case 1: threshold == .inconclusive ? "findings, or rules that could not judge" : "findings that count"
    case 2: "input that cannot be read"
    default: "nothing to judge: no record access procedure in the input"
    }
  }

  private func hasFailed(_ capture: LintCapture) -> Bool {
    if threshold == .inconclusive && capture.hasInconclusive { return true }
    return capture.findings.contains { !$0.finding.isSuppressed && threshold.isMet(by: $0.finding.finding.level) }
  }

  /// One line for a log: `1 error in 2 captures`.
  public var summary: String {
    let counts = captures.reduce(LintCounts()) { $0 + $1.counts }
    return counts.text + " in \(countText(captures.count, "capture"))"
  }
}

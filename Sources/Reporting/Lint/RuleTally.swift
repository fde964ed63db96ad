import ProtocolLint

/// What one rule said over several links.
public struct RuleTally: Sendable {
  let rule: RuleDescription
  var counts = Counts()

  init(_ rule: RuleDescription) { self.rule = rule }

  /// How often, and why it could not judge.
  struct Counts: Sendable {
    /// Links on which it looked and found nothing.
    var passed = 0
    /// Links with findings, suppressed ones included.
    var failed = 0
    /// Findings that stand under another rule's.
    var explained = 0
    /// Why it could not judge, and on how many links, in the order they were met.
    private(set) var reasons: [(reason: String, links: Int)] = []

    mutating func add(_ reason: String, links: Int = 1) {
      if let known = reasons.firstIndex(where: { $0.reason == reason }) {
        reasons[known].links += links
      } else {
        reasons.append((reason, links))
      }
    }

    /// Takes back that it could not judge one link, where it is clear which reason that was.
    mutating func withdrawReason() {
      guard reasons.count == 1 else { return }
      reasons[0].links -= 1
      if reasons[0].links == 0 { reasons = [] }
    }

    mutating func add(_ other: Counts) {
      passed += other.passed
      failed += other.failed
      explained += other.explained
      for entry in other.reasons { add(entry.reason, links: entry.links) }
    }
  }

  var passed: Int { counts.passed }
  var failed: Int { counts.failed }
  var explained: Int { counts.explained }
  var reasons: [(reason: String, links: Int)] { counts.reasons }

  /// The verdict in one word: what could not be judged anywhere is never a pass.
  enum Outcome: String {
    case fail, explained, inconclusive, pass
    case notApplicable = "not-applicable"
  }

  var outcome: Outcome {
    if failed > 0 { return .fail }
    if explained > 0 { return .explained }
    if !reasons.isEmpty { return .inconclusive }
    return passed > 0 ? .pass : .notApplicable
  }
}

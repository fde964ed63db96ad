public import ProtocolLint

/// Which rules judge, and how much their findings weigh.
public struct RuleSelection: Sendable {
  /// Only these rules; empty for all of them.
  public var selected: [RulePattern] = []
  /// Rules whose findings are left out, with all that they explain.
  public var ignored: [RulePattern] = []
  /// Levels that replace a finding's own, nil for off; of several that match the last one holds.
  public var levels: [(rules: RulePattern, level: FindingLevel?)] = []

  public init() {}

  /// The rules that judge. An ignored rule does, so that what it explains is not reported in its place.
  var rules: [any Rule] {
    guard !selected.isEmpty else { return RuleRegistry.rules }
    return RuleRegistry.rules.filter { rule in selected.contains { $0.matches(rule.description) } }
  }

  /// False for a rule whose findings are not wanted.
  func isReported(_ rule: RuleDescription) -> Bool {
    if ignored.contains(where: { $0.matches(rule) }) { return false }
    guard let last = levels.last(where: { $0.rules.matches(rule) }) else { return true }
    return last.level != nil
  }

  /// False where every rule is left out.
  public var reportsAnything: Bool { rules.contains { isReported($0.description) } }

  /// The level that was asked for; nil where the finding's own holds.
  func level(of rule: RuleDescription) -> FindingLevel? {
    levels.last { $0.rules.matches(rule) }?.level
  }
}

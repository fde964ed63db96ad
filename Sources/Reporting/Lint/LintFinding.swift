import ProtocolLint

/// A finding as it is reported.
public struct LintFinding: Sendable {
  /// The finding, at the level that was asked for.
  var finding: Finding
  /// The rule that made it.
  var rule: RuleDescription
  /// The finding's own fingerprint, as the rules made it: the same in every capture of the same fault, also in one that
  /// does not show the device's address.
  var fingerprint: String
  /// The decoded packets around its anchor.
  var excerpt: LintExcerpt
  /// True where the baseline has it.
  var isSuppressed = false

  /// The frame it is anchored to; 0 where it names none.
  var frame: UInt32 { finding.frames.first ?? 0 }

  /// What a reader should see first.
  static func isWorse(_ left: LintFinding, _ right: LintFinding) -> Bool {
    if left.weight != right.weight { return left.weight > right.weight }
    if left.frame != right.frame { return left.frame < right.frame }
    return left.rule.identifier.description < right.rule.identifier.description
  }

  /// Above 0 for what counts, the worst highest.
  var weight: Int { isSuppressed ? 0 : Int(finding.level.rawValue) + 1 }
}

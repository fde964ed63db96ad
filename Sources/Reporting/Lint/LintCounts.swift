import ProtocolLint

/// How many findings of each weight there are.
struct LintCounts: Sendable, Equatable {
  var errors = 0
  var warnings = 0
  var notes = 0
  /// Those the baseline has, in none of the above.
  var suppressed = 0
  /// Those of the side that was not asked for, which are not reported.
  var otherSide = 0

  mutating func add(_ finding: LintFinding) {
    if finding.isSuppressed {
      suppressed += 1
      return
    }
    switch finding.finding.level {
    case .error: errors += 1
    case .warning: warnings += 1
    case .note: notes += 1
    }
  }

  static func + (left: LintCounts, right: LintCounts) -> LintCounts {
    LintCounts(
      errors: left.errors + right.errors,
      warnings: left.warnings + right.warnings,
      notes: left.notes + right.notes,
      suppressed: left.suppressed + right.suppressed,
      otherSide: left.otherSide + right.otherSide
    )
  }

  /// `1 error, 2 notes (1 more in the baseline)`.
  var text: String {
    let words = [(errors, "error"), (warnings, "warning"), (notes, "note")].filter { $0.0 > 0 }
      .map { countText($0.0, $0.1) }
    var text = words.isEmpty ? "no findings" : words.joined(separator: ", ")
    if suppressed > 0 { text += " (\(suppressed) more in the baseline)" }
    if otherSide > 0 { text += ", \(otherSide) not of this side" }
    return text
  }
}

import CommandLineInterface
import Reporting

/// Says that a word names no rule, and which one may be meant.
enum UnknownRule {
  static func error(_ word: String) -> UsageError {
    let near = nearMiss(of: word, in: RulePattern.words) ?? nearMiss(of: word.uppercased(), in: RulePattern.words)
    return UsageError(
      "there is no rule '\(word)'",
      hint: near.map { "did you mean '\($0)'?" } ?? "'racpscope rules' lists them"
    )
  }
}

import LinkTrace
import ProtocolLint

/// Which links reports are about: those of health devices, and of those that may be such the ones on which something
/// went wrong.
enum ReportedLink {
  /// What the rules say of a link; nil where it is not to be reported.
  static func verdicts(
    _ history: borrowing LinkHistory,
    rules: [any LinkRule] = RuleRegistry.linkRules
  ) -> LinkVerdicts? {
    let isHealth = history.isHealthLink
    guard isHealth || LinkSubject.mayBeHealth(history) else { return nil }
    let verdicts = LinkVerdicts(history, rules: rules)
    return isHealth || verdicts.findings.contains { $0.rule.area != "CAP" } ? verdicts : nil
  }
}

public import LinkTrace

/// A rule over the history of one link: a pure function that keeps nothing between calls.
public protocol LinkRule: Rule {
  /// What the packets break. `subject` carries what all rules share and is computed once a link.
  func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome
}

/// What one rule says of one link, device or capture.
public enum RuleOutcome: Sendable {
  /// The rule has nothing to look at.
  case notApplicable
  case pass
  /// Nothing is wrong, and these needs did not matter for saying so.
  case passWithout(VisibilityFacts)
  case fail([Finding])
  /// The capture does not show enough, and why.
  case inconclusive(String)
}

/// What all rules have, whatever they look at.
public protocol Rule: Sendable {
  var description: RuleDescription { get }
  /// Captures in which it fires once, the first the most telling one.
  var failing: [RuleExample] { get }
  /// Captures that look alike and in which nobody is at fault.
  var passing: [RuleExample] { get }
}

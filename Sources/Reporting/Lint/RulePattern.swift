public import ProtocolLint

/// What names rules on a command line: an identifier (`RACP-001`), an area (`RACP`) or a name, in upper or lower case.
public struct RulePattern: Sendable, Equatable {
  private let word: String

  /// Nil where no rule answers to the word.
  public init?(_ text: String) {
    word = text.lowercased()
    guard RuleRegistry.rules.contains(where: { matches($0.description) }) else { return nil }
  }

  /// True where the rule is meant.
  public func matches(_ rule: RuleDescription) -> Bool {
    word == rule.identifier.description.lowercased() || word == rule.identifier.area.lowercased() || word == rule.name
  }

  /// Every word that names rules, for a hint where one is mistyped: identifiers, areas, names.
  public static var words: [String] {
    let rules = RuleRegistry.rules.map(\.description)
    var areas: [String] = []
    for rule in rules where !areas.contains(rule.identifier.area) { areas.append(rule.identifier.area) }
    return rules.map(\.identifier.description) + areas + rules.map(\.name)
  }
}

public import LinkTrace

/// What a rule says of itself: the one place its documentation is made from.
public struct RuleDescription: Sendable {
  public var identifier: RuleIdentifier
  /// Kebab case, reads as "allow <name>".
  public var name: String
  /// One line: what is wrong where the rule fires.
  public var summary: String
  /// Why it matters to the reading of the device's records.
  public var rationale: String
  /// What to change.
  public var remedy: String
  /// The clauses it rests on, as the specification sheet names them.
  public var clause: String
  /// Visibility facts without which it may neither accuse nor acquit.
  public var needs: VisibilityFacts
  /// Rules whose findings it explains where they speak of the same procedure or frames.
  public var explains: [RuleIdentifier]

  public init(
    _ identifier: RuleIdentifier,
    name: String,
    summary: String,
    rationale: String,
    remedy: String,
    clause: String,
    needs: VisibilityFacts,
    explains: [RuleIdentifier] = []
  ) {
    self.identifier = identifier
    self.name = name
    self.summary = summary
    self.rationale = rationale
    self.remedy = remedy
    self.clause = clause
    self.needs = needs
    self.explains = explains
  }
}

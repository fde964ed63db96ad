public import LinkTrace

/// What a rule says of itself: the one place its documentation is made from.
///
/// Shared and never changed: verdicts name it link after link, and a copy of its texts each time would cost more than
/// the judging.
public final class RuleDescription: Sendable {
  public let identifier: RuleIdentifier
  /// Kebab case, reads as "allow <name>".
  public let name: String
  /// One line: what is wrong where the rule fires.
  public let summary: String
  /// Why it matters to the reading of the device's records.
  public let rationale: String
  /// What to change.
  public let remedy: String
  /// The clauses it rests on, as the specification sheet names them.
  public let clause: String
  /// Visibility facts without which it may neither accuse nor acquit.
  public let needs: VisibilityFacts
  /// What a packet that the logger missed without counting it does to a finding; nil where the capture itself tells, or
  /// where it would take more than one.
  public let hole: String?
  /// Rules whose findings it explains where they speak of the same procedure or frames.
  public let explains: [RuleIdentifier]
  /// True where what it looks at, or whether there is anything to look at, stands in the octets of data packets: where the
  /// logger cut some of them it may still accuse of what is left, and acquits of nothing. Asked for each rule on each link.
  let readsPackets: Bool

  public init(
    _ identifier: RuleIdentifier,
    name: String,
    summary: String,
    rationale: String,
    remedy: String,
    clause: String,
    needs: VisibilityFacts,
    hole: String? = nil,
    explains: [RuleIdentifier] = []
  ) {
    self.identifier = identifier
    self.name = name
    self.summary = summary
    self.rationale = rationale
    self.remedy = remedy
    self.clause = clause
    self.needs = needs
    self.hole = hole
    self.explains = explains
    readsPackets = identifier.area != "CAP" && !needs.subtracting(.end).isEmpty
  }
}

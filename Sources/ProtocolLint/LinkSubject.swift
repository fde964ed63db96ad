public import LinkTrace

/// What the rules share about the link they judge.
public struct LinkSubject: Sendable {
  public var facts: VisibilityFacts
  public var security: SecurityTimeline
  /// How well the handles of the stored-record service are named: the worst of those that matter.
  public var naming: Provenance
  /// The most a finding about this link may weigh.
  public var levelCap: FindingLevel

  public init(_ history: borrowing LinkHistory) {
    facts = VisibilityFacts(history)
    security = SecurityTimeline(history)
    var worst = Provenance.discovered
    for traffic in history.handles where traffic.role.isControlPoint || traffic.role.isRecord {
      worst = min(worst, traffic.provenance)
    }
    naming = worst
    // A peer may change its table unless a bond holds it to telling so (Core Vol 3 Part G 2.5.2).
    let isCarriedOver = worst == .remembered && history.sensor == .remote && !security.usedStoredKey
    levelCap = isCarriedOver ? .warning : Self.cap(worst)
  }

  /// A name that is only inferred does not carry an error (field rules 0).
  static func cap(_ naming: Provenance) -> FindingLevel {
    switch naming {
    case .unnamed, .inferredWeak: .note
    case .inferred: .warning
    case .remembered, .supplied, .discovered: .error
    }
  }
}

public import LinkTrace

/// What all rules say of one link: the findings that stand, and what could not be judged.
public struct LinkVerdicts: Sendable {
  /// In the order of the registry, those explained by another one left out.
  public private(set) var findings: [Finding] = []
  /// Rules that could not judge, and why.
  public private(set) var inconclusive: [Inconclusive] = []
  /// Rules that looked and found nothing: their places among the rules that judged, in two octets each, as reports keep
  /// the verdicts of many links.
  public private(set) var passedPlaces: [UInt16] = []
  private let rules: [any LinkRule]

  /// The same by name.
  public var passed: [RuleIdentifier] { passedPlaces.map { rules[Int($0)].description.identifier } }

  /// A rule that the capture kept from judging.
  public struct Inconclusive: Sendable {
    public var rule: RuleIdentifier
    public var reason: String
  }

  public init(_ history: borrowing LinkHistory, rules: [any LinkRule] = RuleRegistry.linkRules) {
    let subject = LinkSubject(history)
    var found: [RootCauses.Candidate] = []
    self.rules = rules
    passedPlaces.reserveCapacity(rules.count)
    let isCut = !subject.facts.contains(.whole) && subject.mayBeHealth(history)
    for place in rules.indices {
      switch rules[place].check(history, subject) {
      case .notApplicable:
        if isCut && rules[place].description.readsPackets {
          inconclusive.append(
            Inconclusive(rule: rules[place].description.identifier, reason: VisibilityFacts.whole.reason)
          )
        }
      case .inconclusive(let reason):
        inconclusive.append(Inconclusive(rule: rules[place].description.identifier, reason: reason))
      case .pass: acquit(place, rules[place].description, without: [], subject)
      case .passWithout(let unneeded): acquit(place, rules[place].description, without: unneeded, subject)
      case .fail(let findings):
        let description = rules[place].description
        var standing = findings
        if let reason = Self.unmet(description.needs, subject.facts) {
          standing = description.needs.subtracting(subject.facts) == .noLoss ? subject.beforeGap(findings, history) : []
          if standing.isEmpty {
            inconclusive.append(Inconclusive(rule: description.identifier, reason: reason))
            continue
          }
        }
        for finding in standing {
          var capped = finding
          // What is said of the capture does not rest on names.
          if finding.fault != .capture {
            capped.levelCap = subject.levelCap
            capped.level = min(finding.level, subject.levelCap)
          }
          found.append(RootCauses.Candidate(finding: capped, explains: description.explains))
        }
      }
    }
    findings = Self.numbered(RootCauses.settle(found))
  }

  /// Leaves out findings that stand under one about several links.
  public mutating func leaveOut(_ isExplained: (Finding) -> Bool) { findings.removeAll(where: isExplained) }

  private mutating func acquit(
    _ place: Int,
    _ description: RuleDescription,
    without unneeded: VisibilityFacts,
    _ subject: borrowing LinkSubject
  ) {
    let read: VisibilityFacts = description.readsPackets ? .whole : []
    if let reason = Self.unmet(description.needs.subtracting(unneeded).union(read), subject.facts) {
      inconclusive.append(Inconclusive(rule: description.identifier, reason: reason))
    } else {
      passedPlaces.append(UInt16(truncatingIfNeeded: place))
    }
  }

  /// The first visibility fact a rule needs and the link lacks, in words.
  private static func unmet(_ needs: VisibilityFacts, _ facts: VisibilityFacts) -> String? {
    let missing = needs.subtracting(facts)
    return missing.isEmpty ? nil : missing.reason
  }

  /// Tells equal fingerprints apart by their order on the link.
  private static func numbered(_ findings: [Finding]) -> [Finding] {
    var met: [String: Int] = [:]
    return findings.map { finding in
      var finding = finding
      met[finding.fingerprint, default: 0] += 1
      if let ordinal = met[finding.fingerprint], ordinal > 1 { finding.fingerprint += " #\(ordinal)" }
      return finding
    }
  }
}

public import LinkTrace

/// What all rules over several links say of one device, and which findings about its links they explain.
public struct DeviceVerdicts: Sendable {
  /// In the order of the registry, those explained by another finding left out.
  public private(set) var findings: [Finding] = []
  /// The findings about links that were given, in their order; nil where one now stands under another finding.
  public private(set) var linkFindings: [Finding?]
  /// Rules that could not judge, and why.
  public private(set) var inconclusive: [LinkVerdicts.Inconclusive] = []
  /// Rules that looked and found nothing.
  public private(set) var passed: [RuleIdentifier] = []

  /// - Parameters:
  ///   - linkFindings: what stands of the device's links by themselves, each with its file.
  ///   - strangers: links of the run that may or may not be the device's.
  public init(
    _ device: borrowing DeviceHistory,
    linkFindings: [Finding] = [],
    strangers: Strangers = Strangers(),
    rules: [any DeviceRule] = RuleRegistry.deviceRules
  ) {
    self.linkFindings = linkFindings
    guard !rules.isEmpty, !device.links.isEmpty else { return }
    let subject = DeviceSubject(device)
    let facts = Self.facts(device)
    let isAlone = subject.isIdentified && !strangers.areThere && !subject.hasUnknownCollectors
    // Where several collectors cannot be told apart, their links may be those of one.
    let joint = subject.hasUntoldRequests(device) ? DeviceSubject(device, asOneCollector: true) : nil
    let hasProcedures = device.links.contains { !$0.procedures.isEmpty }
    let isCut = device.links.contains { !$0.facts.contains(.whole) }
    var explains: [[RuleIdentifier]] = []
    for rule in rules {
      let outcome = rule.check(device, subject)
      if case .notApplicable = outcome, joint == nil, strangers.concerned.isEmpty, !isCut { continue }
      let description = rule.description
      let readsCut = isCut && description.readsPackets
      switch outcome {
      case .notApplicable where readsCut, .pass where readsCut, .passWithout where readsCut:
        refuse(description, VisibilityFacts.whole.reason)
      case .notApplicable:
        guard description.needs.contains(.identity) else { continue }
        var isConcerned = hasProcedures && strangers.concerned.contains(description.identifier)
        if !isConcerned, let joint {
          if case .notApplicable = rule.check(device, joint) {} else { isConcerned = true }
        }
        if isConcerned { refuse(description, VisibilityFacts.identity.reason) }
      case .inconclusive(let reason): refuse(description, reason)
      case .pass, .passWithout:
        var needs = description.needs
        if case .passWithout(let unneeded) = outcome { needs.subtract(unneeded) }
        let missing = needs.subtracting(facts.union(isAlone ? .identity : []))
        if missing.isEmpty { passed.append(description.identifier) } else { refuse(description, missing.reason) }
      case .fail(let found):
        for finding in found {
          guard let capped = Self.capped(finding, description.needs, device, subject) else {
            refuse(description, Self.reason(finding, description.needs, device, subject))
            continue
          }
          findings.append(capped)
          explains.append(description.explains + (rule.standsForLinks ? [description.identifier] : []))
        }
      }
    }
    if !findings.isEmpty { settle(explains) }
  }

  private mutating func refuse(_ rule: RuleDescription, _ reason: String) {
    if inconclusive.contains(where: { $0.rule == rule.identifier && $0.reason == reason }) { return }
    inconclusive.append(LinkVerdicts.Inconclusive(rule: rule.identifier, reason: reason))
  }

  /// What holds for every link with procedures or records.
  private static func facts(_ device: borrowing DeviceHistory) -> VisibilityFacts {
    var facts = VisibilityFacts(rawValue: .max)
    for link in device.links.indices where device.links[link].hasRecordTraffic {
      facts.formIntersection(device.links[link].facts.union([.identity, .history]))
    }
    facts.remove(.identity)
    return facts
  }

  private static func missing(
    _ finding: Finding,
    _ needs: VisibilityFacts,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> VisibilityFacts {
    var facts: VisibilityFacts = subject.isIdentified ? [.identity, .history] : [.history]
    var shown = VisibilityFacts(rawValue: .max)
    for reference in finding.links {
      if let link = device.link(reference.link, file: reference.file) {
        shown.formIntersection(device.links[link].facts)
      }
    }
    shown.subtract([.identity, .history])
    facts.formUnion(shown)
    return needs.subtracting(facts)
  }

  private static func reason(
    _ finding: Finding,
    _ needs: VisibilityFacts,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> String {
    missing(finding, needs, device, subject).reason
  }

  /// The finding at the most its names allow; nil where what it needs is not shown.
  private static func capped(
    _ finding: Finding,
    _ needs: VisibilityFacts,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Finding? {
    guard missing(finding, needs, device, subject).isEmpty else { return nil }
    var capped = finding
    for reference in finding.links {
      guard let link = device.link(reference.link, file: reference.file) else { continue }
      capped.levelCap = min(capped.levelCap, subject.levelCap(link, device))
      capped.level = min(capped.level, capped.levelCap)
    }
    if assumesHost(finding, device) {
      capped.levelCap = min(capped.levelCap, .warning)
      capped.level = min(capped.level, capped.levelCap)
      if capped.confidence == .certain { capped.confidence = .likely }
    }
    return capped
  }

  /// True where it accuses a collector over several files, and one of them does not show the address of the host that
  /// made it: that all come from one collector is then assumed.
  private static func assumesHost(_ finding: Finding, _ device: borrowing DeviceHistory) -> Bool {
    let files = Set(finding.links.map(\.file))
    guard files.count > 1, finding.fault != .sensor else { return false }
    for reference in finding.links {
      guard let place = device.link(reference.link, file: reference.file) else { continue }
      if device.links[place].isCollectorLocal && device.links[place].collector == nil { return true }
    }
    return false
  }

  // MARK: Root causes

  /// Puts what another finding explains under it: findings of the device among each other, and those of its links.
  private mutating func settle(_ explains: [[RuleIdentifier]]) {
    let count = findings.count
    let concerned = findings.map { Set($0.links) }
    let explained = explains.map { Set($0) }
    var parents = [Int?](repeating: nil, count: count + linkFindings.count)
    for child in findings.indices {
      parents[child] = findings.indices.first { parent in
        parent != child && findings[parent].isRootCause && explained[parent].contains(findings[child].rule)
          && !concerned[parent].isDisjoint(with: concerned[child])
      }
    }
    let explanations = RuleRegistry.explanations
    var standing: Set<Int> = []
    for (index, finding) in linkFindings.enumerated() {
      guard let finding else { continue }
      let place = LinkReference(file: finding.file, link: finding.link)
      let roots = findings.indices.filter { parent in
        findings[parent].isRootCause && explained[parent].contains(finding.rule) && concerned[parent].contains(place)
          && findings[parent].explains(on: place, from: finding.frames.first)
      }
      // What is said of several links takes the place of what is said of one.
      let same = roots.first { findings[$0].rule == finding.rule }
      if let same { standing.insert(same) }
      parents[count + index] = same ?? roots.first
      guard finding.isRootCause, let mine = explanations[finding.rule] else { continue }
      for child in findings.indices where parents[child] == nil && concerned[child].contains(place) {
        if mine.contains(findings[child].rule) { parents[child] = count + index }
      }
    }
    guard parents.contains(where: { $0 != nil }) else { return }
    var isExplained = [Bool](repeating: false, count: parents.count)
    for child in parents.indices where parents[child] != nil {
      guard let root = Self.root(of: child, parents) else { continue }
      isExplained[child] = true
      add(child, under: root, isCounted: !standing.contains(child))
    }
    for index in linkFindings.indices where isExplained[count + index] { linkFindings[index] = nil }
    findings = findings.indices.filter { !isExplained[$0] }.map { findings[$0] }
  }

  /// Follows the explanations up; nil where they run in a circle.
  private static func root(of child: Int, _ parents: [Int?]) -> Int? {
    var current = child
    for _ in parents.indices {
      guard let next = parents[current] else { return current == child ? nil : current }
      current = next
    }
    return nil
  }

  private mutating func add(_ child: Int, under root: Int, isCounted: Bool) {
    let explained = child < findings.count ? findings[child] : linkFindings[child - findings.count]
    guard let explained else { return }
    // What is said of one link and of several is said once.
    let isSame = explained.rule == (root < findings.count ? findings[root] : linkFindings[root - findings.count])?.rule
    let own = isSame || !isCounted ? [] : [Finding.Consequence(rule: explained.rule, count: 1)]
    let consequences = own + explained.consequences
    if root < findings.count {
      for consequence in consequences { findings[root].add(consequence) }
    } else {
      for consequence in consequences { linkFindings[root - findings.count]?.add(consequence) }
    }
  }
}

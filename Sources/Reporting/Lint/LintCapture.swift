import ProtocolLint

/// The judgement of one capture, or of several that were joined.
public struct LintCapture: Sendable {
  /// The capture as the user named it; of joined ones the first.
  let file: String
  /// All of them.
  let files: [String]
  let facts: CaptureFacts
  /// Devices that hold records, the worst first.
  private(set) var devices: [LintDevice]
  /// What each rule said, in the order of the registry.
  private(set) var tallies: [RuleTally]

  init(_ facts: CaptureFacts, files: [String], devices: [LintDevice], tallies: [RuleTally], baseline: Baseline?) {
    self.facts = facts
    self.files = files
    file = files.first ?? facts.name
    self.devices = devices
    self.tallies = tallies
    for device in devices {
      for index in tallies.indices { self.tallies[index].add(device.tallies[index]) }
    }
    if let baseline { suppress(baseline) }
    rank()
  }

  /// Takes the findings of a baseline out of what counts.
  mutating func suppress(_ baseline: Baseline) {
    for device in devices.indices {
      for link in devices[device].links.indices {
        for index in devices[device].links[link].findings.indices {
          let fingerprint = devices[device].links[link].findings[index].fingerprint
          if baseline.contains(fingerprint) { devices[device].links[link].findings[index].isSuppressed = true }
        }
      }
    }
    rank()
  }

  private mutating func rank() {
    for index in devices.indices { devices[index].rank() }
    devices = devices.enumerated()
      .sorted { left, right in
        left.element.weight == right.element.weight
          ? left.offset < right.offset : left.element.weight > right.element.weight
      }
      .map(\.element)
  }

  /// Every finding with the device and the link it is about, in the order of every output.
  var findings: [(device: LintDevice, link: LintLink, finding: LintFinding)] {
    devices.flatMap { device in device.links.flatMap { link in link.findings.map { (device, link, $0) } } }
  }

  var counts: LintCounts {
    var counts = LintCounts()
    for device in devices {
      counts.otherSide += device.otherSideCount
      for link in device.links { for finding in link.findings { counts.add(finding) } }
    }
    return counts
  }

  var procedureCount: Int { devices.reduce(0) { $0 + $1.procedureCount } }

  /// True where no record access procedure is there to judge, and nothing grave was found without one.
  var isEmpty: Bool { procedureCount == 0 && devices.allSatisfy { $0.gravelyJudged == 0 } }

  var hasInconclusive: Bool { tallies.contains { !$0.reasons.isEmpty } }

  /// Why rules could not judge: each reason once, with the rules it kept from it.
  var reasons: [(reason: String, rules: [(rule: RuleIdentifier, links: Int)])] {
    var grouped: [(reason: String, rules: [(rule: RuleIdentifier, links: Int)])] = []
    for tally in tallies {
      for entry in tally.reasons {
        let place = grouped.firstIndex { $0.reason == entry.reason } ?? grouped.count
        if place == grouped.count { grouped.append((entry.reason, [])) }
        grouped[place].rules.append((tally.rule.identifier, entry.links))
      }
    }
    return grouped
  }
}

import LinkTrace
import ProtocolLint

/// Brings together what is said of single links and what the rules over several links and files say.
struct LintJudge: Sendable {
  let options: LintOptions
  let linkRules: [any LinkRule]
  private let deviceRules: [any DeviceRule]
  private let captureRules: [any CaptureRule]
  /// Rules about links that judge with the other files what the link alone does not decide.
  private let decidedByOthers: Set<RuleIdentifier>
  /// The rules that are reported, and where their tallies stand.
  private let reported: [RuleIdentifier: (position: Int, rule: RuleDescription)]
  private let descriptions: [RuleIdentifier: RuleDescription]
  /// For each rule about links its position among the reported ones; nil where it is not reported.
  private let linkPositions: [Int?]
  let emptyTallies: [RuleTally]
  /// Those of a device of which nothing is known yet: all begin with the same storage.
  private let noTallies: DeviceTallies

  init(_ options: LintOptions) {
    self.options = options
    let rules = options.selection.rules
    linkRules = rules.compactMap { $0 as? any LinkRule }
    deviceRules = rules.compactMap { $0 as? any DeviceRule }
    decidedByOthers = Set(
      rules.filter { $0 is any LinkRule && ($0 as? any DeviceRule)?.standsForLinks == false }
        .map(\.description.identifier)
    )
    captureRules = rules.compactMap { $0 as? any CaptureRule }
    var descriptions: [RuleIdentifier: RuleDescription] = [:]
    var reported: [RuleIdentifier: (position: Int, rule: RuleDescription)] = [:]
    var tallies: [RuleTally] = []
    for rule in rules {
      let description = rule.description
      descriptions[description.identifier] = description
      guard options.selection.isReported(description) else { continue }
      reported[description.identifier] = (tallies.count, description)
      tallies.append(RuleTally(description))
    }
    self.descriptions = descriptions
    self.reported = reported
    emptyTallies = tallies
    noTallies = DeviceTallies(ruleCount: tallies.count)
    linkPositions = linkRules.map { reported[$0.description.identifier]?.position }
  }

  /// A device of which nothing is known yet.
  func device(_ key: DeviceHistory.Key) -> LintDevice {
    LintDevice(key, tallies: noTallies)
  }

  /// Adds what the rules about links said of one link.
  func count(_ verdicts: LinkVerdicts, _ tallies: inout DeviceTallies) {
    for place in verdicts.passedPlaces {
      if let position = linkPositions[Int(place)] { tallies.addPass(position) }
    }
    for verdict in verdicts.inconclusive {
      if let position = position(verdict.rule) { tallies.add(verdict.reason, position) }
    }
  }

  func description(_ rule: RuleIdentifier) -> RuleDescription? { descriptions[rule] }

  /// Where a rule's tally stands; nil for one that is not reported.
  private func position(_ rule: RuleIdentifier) -> Int? { reported[rule]?.position }

  /// Judges what is known of the capture itself.
  func judge(_ facts: CaptureFacts) -> LintDevice {
    var device = device(DeviceHistory.Key())
    device.isCapture = true
    let verdicts = CaptureVerdicts(CaptureSubject(notes: facts.notes, frames: facts.frames), rules: captureRules)
    for case let position? in verdicts.passed.map(position) { device.tallies.addPass(position) }
    var findings: [LintFinding] = []
    for finding in verdicts.findings {
      guard let rule = descriptions[finding.rule] else { continue }
      let entry = LintFinding(finding: finding, rule: rule, fingerprint: finding.fingerprint, excerpt: LintExcerpt())
      findings.append(entry)
    }
    if !findings.isEmpty { device.links = [LintLink(frames: facts.frames, findings: findings)] }
    settle(&device)
    return device
  }

  /// The links of a capture whose device is not known.
  func strangers(among devices: [LintDevice]) -> Strangers {
    Strangers(devices.lazy.map(\.history), rules: deviceRules)
  }

  /// Judges a device of a single capture.
  func judge(_ device: inout LintDevice, strangers: Strangers) {
    var parts = [device]
    judge(&parts, files: [0], names: [], strangers: strangers)
    device = parts[0]
  }

  /// Judges one device that stands in several captures.
  ///
  /// - Parameters:
  ///   - files: the ordinal of each part's capture among those of the run.
  ///   - names: the names of all captures of the run.
  ///   - strangers: links of their captures that may or may not be the device's.
  func judge(_ parts: inout [LintDevice], files: [UInt16], names: [String], strangers: Strangers) {
    for index in parts.indices {
      parts[index].links = parts[index].ownLinks
      parts[index].tallies = parts[index].ownTallies
      parts[index].otherSideCount = 0
    }
    let histories =
      parts.count == 1
      ? [parts[0].history] : DeviceHistory.joined(zip(files, parts).map { ($0, $1.history) }, names: names)
    for history in histories { judge(history, &parts, files, strangers) }
    for index in parts.indices { settle(&parts[index]) }
  }

  private func judge(
    _ history: DeviceHistory,
    _ parts: inout [LintDevice],
    _ files: [UInt16],
    _ strangers: Strangers
  ) {
    let present = Set(history.links.map(\.file))
    var places: [(part: Int, link: Int, finding: Int)] = []
    var given: [Finding] = []
    for part in parts.indices where present.contains(parts.count == 1 ? 0 : files[part]) {
      for link in parts[part].links.indices {
        for index in parts[part].links[link].findings.indices {
          var finding = parts[part].links[link].findings[index].finding
          finding.file = parts.count == 1 ? 0 : files[part]
          places.append((part, link, index))
          given.append(finding)
        }
      }
    }
    let verdicts = DeviceVerdicts(
      history,
      linkFindings: given,
      strangers: strangers,
      rules: deviceRules
    )
    for (place, finding) in zip(places, verdicts.linkFindings).reversed() {
      if let finding {
        parts[place.part].links[place.link].findings[place.finding].finding = finding
      } else {
        parts[place.part].links[place.link].findings.remove(at: place.finding)
      }
    }
    for part in parts.indices where present.contains(parts.count == 1 ? 0 : files[part]) {
      for case let position? in verdicts.passed.map(position) { parts[part].tallies.addPass(position) }
      for verdict in verdicts.inconclusive {
        if let position = position(verdict.rule) { parts[part].tallies.add(verdict.reason, position) }
      }
    }
    var met: [String: Int] = [:]
    for var finding in verdicts.findings {
      let home = parts.count == 1 ? 0 : files.firstIndex(of: finding.file)
      guard let part = home, let rule = descriptions[finding.rule],
        let link = history.link(finding.link, file: finding.file)
      else { continue }
      met[finding.fingerprint, default: 0] += 1
      if let ordinal = met[finding.fingerprint], ordinal > 1 { finding.fingerprint += " #\(ordinal)" }
      let entry = LintFinding(
        finding: finding,
        rule: rule,
        fingerprint: finding.fingerprint,
        excerpt: DeviceExcerpt.around(finding, history)
      )
      parts[part].add(entry, on: history.links[link])
      if decidedByOthers.contains(finding.rule), let position = position(finding.rule) {
        parts[part].tallies.withdrawReason(position)
      }
    }
  }

  /// Leaves what is reported, at the levels that were asked for, and counts it.
  private func settle(_ device: inout LintDevice) {
    var links: [LintLink] = []
    for var link in device.links {
      var kept: [LintFinding] = []
      var failed: [RuleIdentifier] = []
      for var entry in link.findings {
        guard let known = reported[entry.finding.rule] else { continue }
        let fault = entry.finding.fault
        if let side = options.side, !side.answers(for: fault) {
          device.otherSideCount += 1
          continue
        }
        // A level that is asked for does not outweigh names that are only inferred.
        if let asked = options.selection.level(of: known.rule) {
          entry.finding.level = min(asked, entry.finding.levelCap)
        }
        for consequence in entry.finding.consequences {
          if let position = position(consequence.rule) {
            device.tallies.addExplained(position, count: consequence.count)
          }
        }
        if !failed.contains(entry.finding.rule) { failed.append(entry.finding.rule) }
        kept.append(entry)
      }
      for case let position? in failed.map(position) { device.tallies.addFailure(position) }
      link.findings = kept
      if !kept.isEmpty { links.append(link) }
    }
    device.links = links
  }
}

extension LintDevice {
  /// Puts a finding on its link, which may have had none.
  fileprivate mutating func add(_ entry: LintFinding, on link: DeviceLink) {
    if let known = links.firstIndex(where: { $0.number == link.number }) {
      links[known].findings.append(entry)
      return
    }
    var new = LintLink(link)
    new.findings.append(entry)
    let place = links.firstIndex { $0.frames.lowerBound > new.frames.lowerBound } ?? links.count
    links.insert(new, at: place)
  }
}

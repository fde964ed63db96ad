import BluetoothWire
public import LinkTrace
import ProtocolLint

/// Judges the links of a capture as they end and keeps what was found.
///
/// Memory grows with the devices and the findings, not with the frames: each finding takes its excerpt along.
public struct LintReport: LinkConsumer {
  private let options: LintOptions
  private let rules: [any LinkRule]
  private let descriptions: [RuleIdentifier: (position: Int, rule: RuleDescription)]
  private let empty: [RuleTally]
  private var devices: [LintDevice] = []
  private var positions: [Key: Int] = [:]

  /// What makes two links those of one device.
  private struct Key: Hashable {
    var address: DeviceAddress?
    var isLocal: Bool
    /// Tells apart links whose device has no known address.
    var link: UInt32
  }

  public init(_ options: LintOptions) {
    self.options = options
    rules = options.selection.rules
    let reported = rules.map(\.description).filter { options.selection.isReported($0) }
    empty = reported.map { RuleTally($0) }
    var descriptions: [RuleIdentifier: (position: Int, rule: RuleDescription)] = [:]
    for (position, rule) in reported.enumerated() { descriptions[rule.identifier] = (position, rule) }
    self.descriptions = descriptions
  }

  public mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker) {
    guard HealthSigns.isHealthLink(history) else { return }
    let position = device(history)
    devices[position].linkCount += 1
    devices[position].procedureCount += history.procedures.count
    if devices[position].name == nil { devices[position].name = DeviceIdentity.name(of: history, from: tracker) }
    let verdicts = LinkVerdicts(history, rules: rules)
    for rule in verdicts.passed { tally(rule, position) { $0.passed += 1 } }
    for verdict in verdicts.inconclusive { tally(verdict.rule, position) { $0.add(verdict.reason) } }
    if !verdicts.findings.isEmpty { keep(verdicts.findings, history, position) }
  }

  /// What was found, the worst device first.
  public func capture(_ facts: CaptureFacts, files: [String], baseline: Baseline?) -> LintCapture {
    var wanted = devices
    if let device = options.device {
      let filter = DeviceFilter(device)
      wanted = devices.filter { filter.matches(address: $0.address, names: [$0.name]) }
    }
    return LintCapture(facts, files: files, devices: wanted, tallies: empty, baseline: baseline)
  }

  private mutating func device(_ history: borrowing LinkHistory) -> Int {
    let isLocal = history.sensor == .local
    let address = DeviceIdentity.address(of: history)
    let key = Key(address: address, isLocal: isLocal, link: address == nil && !isLocal ? history.number : 0)
    if let position = positions[key] { return position }
    positions[key] = devices.count
    devices.append(LintDevice(address: address, isLocal: isLocal, tallies: empty))
    return devices.count - 1
  }

  private mutating func tally(_ rule: RuleIdentifier, _ position: Int, _ change: (inout RuleTally) -> Void) {
    guard let known = descriptions[rule] else { return }
    change(&devices[position].tallies[known.position])
  }

  private mutating func keep(_ findings: [Finding], _ history: borrowing LinkHistory, _ position: Int) {
    let packets = ExcerptPackets(history)
    // A level that is asked for does not outweigh names that are only inferred.
    let cap = LinkSubject(history).levelCap
    var link = LintLink(history)
    var failed: [RuleIdentifier] = []
    for var finding in findings {
      guard let known = descriptions[finding.rule] else { continue }
      if finding.fault != .capture && finding.level > .note { devices[position].gravelyJudged += 1 }
      if let side = options.side, !side.answers(for: finding.fault) {
        devices[position].otherSideCount += 1
        continue
      }
      if let asked = options.selection.level(of: known.rule) {
        finding.level = finding.fault == .capture ? asked : min(asked, cap)
      }
      for consequence in finding.consequences {
        tally(consequence.rule, position) { $0.explained += consequence.count }
      }
      if !failed.contains(finding.rule) { failed.append(finding.rule) }
      link.findings.append(
        LintFinding(
          finding: finding,
          rule: known.rule,
          fingerprint: devices[position].key + " " + finding.fingerprint,
          excerpt: packets.excerpt(around: finding, history)
        )
      )
    }
    for rule in failed { tally(rule, position) { $0.failed += 1 } }
    if !link.findings.isEmpty { devices[position].links.append(link) }
  }
}

import CaptureFiles
import LinkTrace
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
  /// What is said of the capture itself.
  private(set) var itself: LintDevice
  /// What each rule said, in the order of the registry.
  private(set) var tallies: [RuleTally]
  private let emptyTallies: [RuleTally]
  private let baseline: Baseline?

  init(
    _ facts: CaptureFacts,
    files: [String],
    devices: [LintDevice],
    itself: LintDevice,
    tallies: [RuleTally],
    baseline: Baseline?
  ) {
    self.facts = facts
    self.files = files
    file = files.first ?? facts.name
    self.devices = devices
    self.itself = itself
    self.tallies = tallies
    emptyTallies = tallies
    self.baseline = baseline
    update()
  }

  /// Sums up what stands with the devices.
  private mutating func update() {
    tallies = emptyTallies
    for device in devices { device.tallies.add(to: &tallies) }
    itself.tallies.add(to: &tallies)
    if let baseline { suppress(baseline) }
    rank()
  }

  /// Judges anew, together, the devices that stand in several captures of a run.
  static func join(_ captures: inout [LintCapture], _ options: LintOptions) {
    var places: [DeviceHistory.Key: [(capture: Int, device: Int)]] = [:]
    var order: [DeviceHistory.Key] = []
    for capture in captures.indices {
      for device in captures[capture].devices.indices {
        let key = captures[capture].devices[device].history.key
        guard key.isIdentity else { continue }
        if places[key] == nil { order.append(key) }
        places[key, default: []].append((capture, device))
      }
    }
    let judge = LintJudge(options)
    let names = captures.map(\.facts.name)
    let known = captures.map { judge.strangers(among: $0.devices) }
    var changed: Set<Int> = []
    for key in order {
      guard let entries = places[key], entries.count > 1 else { continue }
      var parts = entries.map { captures[$0.capture].devices[$0.device] }
      var strangers = Strangers()
      for capture in Set(entries.map(\.capture)) { strangers.formUnion(known[capture]) }
      judge.judge(
        &parts,
        files: entries.map { UInt16(clamping: $0.capture) },
        names: names,
        strangers: strangers
      )
      for (entry, part) in zip(entries, parts) {
        captures[entry.capture].devices[entry.device] = part
        changed.insert(entry.capture)
      }
    }
    for capture in changed { captures[capture].update() }
  }

  /// Takes the findings of a baseline out of what counts.
  mutating func suppress(_ baseline: Baseline) {
    for device in devices.indices { devices[device].suppress(baseline) }
    itself.suppress(baseline)
    rank()
  }

  /// The devices, the worst first, and then the capture itself.
  var sections: [LintDevice] { devices + [itself] }

  private mutating func rank() {
    for index in devices.indices { devices[index].rank() }
    itself.rank()
    let weights = devices.map(\.weight)
    // Where nothing is found in thousands of devices none has to move.
    if zip(weights, weights.dropFirst()).allSatisfy({ $0 >= $1 }) { return }
    let order = weights.indices.sorted { weights[$0] == weights[$1] ? $0 < $1 : weights[$0] > weights[$1] }
    devices = order.map { devices[$0] }
  }

  /// The file a frame stands in, and its number there: those of the run where captures were joined.
  func place(of frame: UInt32) -> (part: Int, file: String, frame: UInt32) {
    guard let part = facts.parts.lastIndex(where: { $0.firstFrame <= frame }) else { return (0, file, frame) }
    return (part, facts.parts[part].name, frame - facts.parts[part].firstFrame + 1)
  }

  /// The file and frame of a finding as editors and log scanners know them.
  func location(of entry: LintFinding) -> String {
    if facts.parts.isEmpty { return "\(facts.name):\(entry.frame)" }
    let place = place(of: entry.frame)
    return "\(place.file):\(place.frame)"
  }

  /// Every finding with the device and the link it is about, in the order of every output.
  var findings: [(device: LintDevice, link: LintLink, finding: LintFinding)] {
    sections.flatMap { device in device.links.flatMap { link in link.findings.map { (device, link, $0) } } }
  }

  var counts: LintCounts {
    var counts = LintCounts()
    for device in sections {
      counts.otherSide += device.otherSideCount
      for link in device.links { for finding in link.findings { counts.add(finding) } }
    }
    return counts
  }

  var procedureCount: Int { devices.reduce(0) { $0 + $1.procedureCount } }

  /// True where no record access procedure is there to judge, whatever was found without one.
  var isEmpty: Bool { procedureCount == 0 }

  /// Why there is nothing to judge, for a sentence about the file.
  var emptiness: String {
    facts.tellsOfClipping
      ? "no record access procedure can be recognised in it, as the logger cut its packets"
      : "no record access procedure in it"
  }

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

import CaptureFiles
import LinkTrace
import ProtocolLint
import Scenarios

/// What the rules say of every link and device of a capture, and of its links while they were up.
struct Judgement: LinkConsumer {
  /// What stands, link by link; what is said of several links follows what is said of the last one alone.
  var findings: [Finding] = []
  /// What was said of links alone, also what a finding about several links explains.
  var linkFindings: [Finding] = []
  var devices: [DeviceHistory] = []
  var inconclusive: [LinkVerdicts.Inconclusive] = []
  var passed: [RuleIdentifier] = []
  /// What was said of links that were still up, look by look.
  var early: [(link: UInt32, findings: [Finding])] = []
  private var linkRules: [any LinkRule]
  private var deviceRules: [any DeviceRule]
  private var captureRules: [any CaptureRule]

  /// A capture whose links teach something of earlier ones is read twice, as the program does.
  ///
  /// - Parameters:
  ///   - stride: frames between two looks at the links that are up; nil for none.
  init(
    _ input: CaptureInput,
    rules: [any Rule] = RuleRegistry.rules,
    memory: TraceMemory = TraceMemory(),
    lookingEvery stride: Int? = nil
  ) throws {
    linkRules = rules.compactMap { $0 as? any LinkRule }
    deviceRules = rules.compactMap { $0 as? any DeviceRule }
    captureRules = rules.compactMap { $0 as? any CaptureRule }
    let taught = try read(input, memory, lookingEvery: stride)
    guard taught.learnedLate else { return }
    var known = taught
    known.startSecondPass(after: memory)
    self = Judgement(linkRules, deviceRules, captureRules)
    _ = try read(input, known, lookingEvery: stride)
  }

  private init(_ linkRules: [any LinkRule], _ deviceRules: [any DeviceRule], _ captureRules: [any CaptureRule]) {
    self.linkRules = linkRules
    self.deviceRules = deviceRules
    self.captureRules = captureRules
  }

  /// Judges all links; what they taught.
  private mutating func read(
    _ input: CaptureInput,
    _ memory: TraceMemory,
    lookingEvery stride: Int?
  ) throws -> TraceMemory {
    var reader = try CaptureReader.open(input)
    var tracker = LinkTracker(memory: memory)
    var drops: UInt64 = 0
    var count = 0
    while let frame = reader.next() {
      if reader.drops != drops {
        tracker.lost(reader.drops - drops, at: frame)
        drops = reader.drops
      }
      if tracker.follow(frame, reader.bytes(of: frame)) { drain(&tracker) }
      count += 1
      if let stride, count % stride == 0 {
        for history in tracker.openLinks() {
          early.append((history.number, LinkVerdicts(history, rules: linkRules).findings))
        }
      }
    }
    tracker.finish()
    drain(&tracker)
    judgeDevices()
    let capture = CaptureVerdicts(
      CaptureSubject(notes: reader.notes, frames: reader.frameCount),
      rules: captureRules
    )
    findings += capture.findings
    passed += capture.passed
    return tracker.memory
  }

  init(
    _ scenario: Scenario,
    _ rendering: Rendering = Rendering(),
    rules: [any Rule] = RuleRegistry.rules
  ) throws {
    try self.init(.memory(scenario.capture(rendering), name: scenario.name), rules: rules)
  }

  mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker) {
    let verdicts = LinkVerdicts(history, rules: linkRules)
    linkFindings += verdicts.findings
    if !deviceRules.isEmpty {
      let key = DeviceHistory.Key(history)
      let place = devices.firstIndex { $0.key == key } ?? devices.count
      if place == devices.count { devices.append(DeviceHistory(key)) }
      devices[place].take(history)
    }
    inconclusive += verdicts.inconclusive
    passed += verdicts.passed
  }

  private mutating func judgeDevices() {
    var standing: [Finding?] = linkFindings
    var found: [Finding] = []
    let strangers = Strangers(devices, rules: deviceRules)
    for device in devices {
      let places = linkFindings.indices.filter { device.link(linkFindings[$0].link, file: 0) != nil }
      let verdicts = DeviceVerdicts(
        device,
        linkFindings: places.map { linkFindings[$0] },
        strangers: strangers,
        rules: deviceRules
      )
      for (place, finding) in zip(places, verdicts.linkFindings) { standing[place] = finding }
      found += verdicts.findings
      inconclusive += verdicts.inconclusive
      passed += verdicts.passed
    }
    findings = standing.compactMap { $0 } + found
  }

  private mutating func drain(_ tracker: inout LinkTracker) {
    while let history = tracker.takeEnded() { take(history, from: tracker) }
  }

  /// What was accused while a link was up and not later on, or earlier than it was true; nil where nothing was.
  var hasty: String? {
    var said: [UInt32: Set<String>] = [:]
    for look in early {
      let now = Set(look.findings.map(\.fingerprint))
      if let lost = said[look.link, default: []].subtracting(now).first { return "takes back \(lost)" }
      said[look.link] = now
      for finding in look.findings {
        let final = linkFindings.first { $0.link == finding.link && $0.fingerprint == finding.fingerprint }
        guard let final else { return "too early: \(finding.message)" }
        if finding.level > final.level { return "\(finding.rule) falls from \(finding.level) to \(final.level)" }
      }
    }
    return nil
  }

  /// Rules whose findings stand under a finding over several links.
  var explainedByDevices: Set<RuleIdentifier> {
    let known = Set(RuleRegistry.deviceRules.map(\.description.identifier))
    return Set(findings.filter { known.contains($0.rule) }.flatMap(\.consequences).map(\.rule))
  }

  /// The findings of one rule, those that another finding explains left out.
  func findings(of rule: RuleIdentifier) -> [Finding] { findings.filter { $0.rule == rule } }
}

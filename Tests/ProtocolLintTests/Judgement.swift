import CaptureFiles
import LinkTrace
import ProtocolLint
import Scenarios

/// What the rules say of every link of a capture, and of its links while they were up.
struct Judgement: LinkConsumer {
  var findings: [Finding] = []
  var inconclusive: [LinkVerdicts.Inconclusive] = []
  var passed: [RuleIdentifier] = []
  /// What was said of links that were still up, look by look.
  var early: [(link: UInt32, findings: [Finding])] = []
  private let rules: [any LinkRule]

  /// - Parameters:
  ///   - stride: frames between two looks at the links that are up; nil for none.
  init(
    _ input: CaptureInput,
    rules: [any LinkRule] = RuleRegistry.linkRules,
    memory: TraceMemory = TraceMemory(),
    lookingEvery stride: Int? = nil
  ) throws {
    self.rules = rules
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
          early.append((history.number, LinkVerdicts(history, rules: rules).findings))
        }
      }
    }
    tracker.finish()
    drain(&tracker)
  }

  init(
    _ scenario: Scenario,
    _ rendering: Rendering = Rendering(),
    rules: [any LinkRule] = RuleRegistry.linkRules
  ) throws {
    try self.init(.memory(scenario.capture(rendering), name: scenario.name), rules: rules)
  }

  mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker) {
    let verdicts = LinkVerdicts(history, rules: rules)
    findings += verdicts.findings
    inconclusive += verdicts.inconclusive
    passed += verdicts.passed
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
        let final = findings.first { $0.link == finding.link && $0.fingerprint == finding.fingerprint }
        guard let final else { return "too early: \(finding.message)" }
        if finding.level > final.level { return "\(finding.rule) falls from \(finding.level) to \(final.level)" }
      }
    }
    return nil
  }

  /// The findings of one rule, those that another finding explains left out.
  func findings(of rule: RuleIdentifier) -> [Finding] { findings.filter { $0.rule == rule } }
}

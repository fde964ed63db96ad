import BluetoothWire
import CaptureFiles
import ProtocolLint

/// What a rule is found to say: the levels and the sides at fault that its own failing examples give.
enum RuleListing {
  /// The most a finding of the rule weighs.
  static func highestLevel(_ rule: RuleIdentifier) -> FindingLevel {
    let known = RuleRegistry.rules.first { $0.description.identifier == rule }
    let ofNotes = known.map { findings(ofNotes: $0).map(\.level) } ?? []
    return ((known?.failing.compactMap(\.level) ?? []) + ofNotes).max() ?? .note
  }

  /// What a rule about the capture itself says of its failing notes.
  static func findings(ofNotes rule: any Rule) -> [Finding] {
    guard let rule = rule as? any CaptureRule else { return [] }
    return rule.failingNotes.flatMap { note -> [Finding] in
      if case .fail(let findings) = rule.check(CaptureSubject(notes: [note], frames: note.frame)) { return findings }
      return []
    }
  }

  /// The sides at fault, in the order of the examples.
  static func faults(_ rule: any Rule) -> [Fault] {
    var faults: [Fault] = []
    for example in rule.failing {
      for finding in ExamplePackets(example).findings where finding.rule == rule.description.identifier {
        if !faults.contains(finding.fault) { faults.append(finding.fault) }
      }
    }
    for finding in findings(ofNotes: rule) where !faults.contains(finding.fault) { faults.append(finding.fault) }
    return faults
  }
}

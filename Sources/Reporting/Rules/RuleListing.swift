import BluetoothWire
import ProtocolLint

/// What a rule is found to say: the levels and the sides at fault that its own failing examples give.
enum RuleListing {
  /// The most a finding of the rule weighs.
  static func highestLevel(_ rule: RuleIdentifier) -> FindingLevel {
    let known = RuleRegistry.rules.first { $0.description.identifier == rule }
    return known?.failing.compactMap(\.level).max() ?? .note
  }

  /// The sides at fault, in the order of the examples.
  static func faults(_ rule: any Rule) -> [Fault] {
    var faults: [Fault] = []
    for example in rule.failing {
      for finding in ExamplePackets(example).findings where finding.rule == rule.description.identifier {
        if !faults.contains(finding.fault) { faults.append(finding.fault) }
      }
    }
    return faults
  }
}

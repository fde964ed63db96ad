public import Scenarios

/// A short capture that shows a rule at work: a test, and a part of the rule's page.
public struct RuleExample: Sendable {
  /// Lower case, without a full stop.
  public var title: String
  /// What happens; in a failing example exactly one step is marked, the one the finding is anchored to.
  public var scenario: Scenario
  /// The weight of the rule's only finding; nil in a passing example.
  public var level: FindingLevel?
  /// Other rules that rightly fire on it as well: two sides may break two clauses with one exchange.
  public var alongside: [RuleIdentifier] = []
  /// The ends whose hosts' captures show it: both, unless one sees only a part of what happens.
  public var ends = Party.allCases

  /// How its page shows it.
  public var rendering: Rendering { Rendering(side: ends[0]) }

  /// A passing example.
  public init(_ title: String, _ name: String, _ steps: [Step]) {
    self.title = title
    scenario = Scenario(name, steps)
  }

  /// A failing example.
  public init(_ level: FindingLevel, _ title: String, _ name: String, _ steps: [Step]) {
    self.init(title, name, steps)
    self.level = level
  }

  /// The same example, on which other rules fire as well.
  public func alongside(_ rules: RuleIdentifier...) -> RuleExample {
    var example = self
    example.alongside = rules
    return example
  }

  /// The same example, which only the collector's own capture shows.
  public var seenByCollectorAlone: RuleExample {
    var example = self
    example.ends = [.collector]
    return example
  }

  /// The same example, which only the sensor's own capture shows.
  public var seenBySensorAlone: RuleExample {
    var example = self
    example.ends = [.sensor]
    return example
  }
}

import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

/// A rule that says what a test wants of every link.
struct ScriptedRule: LinkRule {
  var identifier: RuleIdentifier
  var explains: [RuleIdentifier] = []
  var needs: VisibilityFacts = []
  var outcome: RuleOutcome
  var failing: [RuleExample] { [] }
  var passing: [RuleExample] { [] }

  var description: RuleDescription {
    RuleDescription(
      identifier,
      name: "scripted",
      summary: "",
      rationale: "",
      remedy: "",
      clause: "",
      needs: needs,
      explains: explains
    )
  }

  init(
    _ identifier: RuleIdentifier,
    explains: [RuleIdentifier] = [],
    needs: VisibilityFacts = [],
    _ outcome: RuleOutcome
  ) {
    self.identifier = identifier
    self.explains = explains
    self.needs = needs
    self.outcome = outcome
  }

  /// Fires once for each group of frames.
  init(_ identifier: RuleIdentifier, explains: [RuleIdentifier] = [], procedure: Int? = nil, frames: [UInt32]...) {
    self.init(
      identifier,
      explains: explains,
      .fail(
        frames.map {
          Finding(
            identifier,
            .error,
            .sensor,
            .certain,
            link: 1,
            procedure: procedure,
            frames: $0,
            time: 0,
            key: "x",
            message: ""
          )
        }
      )
    )
  }

  func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome { outcome }
}

/// The rules in this order, and in the opposite one: what stands must not depend on it.
private func settle(_ rules: [ScriptedRule]) -> [String: [Finding.Consequence]] {
  var results: [[String: [Finding.Consequence]]] = []
  for order in [rules, rules.reversed()] {
    var result: [String: [Finding.Consequence]] = [:]
    for finding in LinkVerdicts(LinkHistory(), rules: order).findings {
      result["\(finding.rule)@\(finding.frames[0])"] = finding.consequences
    }
    results.append(result)
  }
  #expect(results[0] == results[1])
  return results[0]
}

@Test func `a consequence stands under its root`() {
  let result = settle([
    ScriptedRule("RACP-001", explains: ["RACP-004"], frames: [10, 5]), ScriptedRule("RACP-004", frames: [5], [5, 7]),
  ])
  #expect(result == ["RACP-001@10": [.init(rule: "RACP-004", count: 2)]])
}

@Test func `what speaks of other packets stands by itself`() {
  let result = settle([
    ScriptedRule("RACP-001", explains: ["RACP-004"], procedure: 1, frames: [10]),
    ScriptedRule("RACP-004", procedure: 2, frames: [11]),
  ])
  #expect(result == ["RACP-001@10": [], "RACP-004@11": []])
}

@Test func `the same procedure is enough`() {
  let result = settle([
    ScriptedRule("RACP-001", explains: ["RACP-004"], procedure: 1, frames: [10]),
    ScriptedRule("RACP-004", procedure: 1, frames: [11]),
  ])
  #expect(result == ["RACP-001@10": [.init(rule: "RACP-004", count: 1)]])
}

@Test func `in a chain the last one stands under the first`() {
  let result = settle([
    ScriptedRule("GATT-003", explains: ["APP-003"], frames: [1, 2]),
    ScriptedRule("APP-003", explains: ["RACP-004"], frames: [2, 3]), ScriptedRule("RACP-004", frames: [3]),
  ])
  #expect(
    result == ["GATT-003@1": [.init(rule: "APP-003", count: 1), .init(rule: "RACP-004", count: 1)]]
  )
}

@Test func `a consequence of two roots is counted once, under the nearer one`() {
  let earlier = settle([
    ScriptedRule("GATT-003", explains: ["RACP-004"], frames: [1, 9]),
    ScriptedRule("RACP-001", explains: ["RACP-004"], frames: [2, 9]), ScriptedRule("RACP-004", frames: [9]),
  ])
  #expect(earlier == ["GATT-003@1": [.init(rule: "RACP-004", count: 1)], "RACP-001@2": []])
  let sameProcedure = settle([
    ScriptedRule("GATT-003", explains: ["RACP-004"], frames: [1, 9]),
    ScriptedRule("RACP-001", explains: ["RACP-004"], procedure: 3, frames: [2]),
    ScriptedRule("RACP-004", procedure: 3, frames: [9]),
  ])
  #expect(sameProcedure == ["GATT-003@1": [], "RACP-001@2": [.init(rule: "RACP-004", count: 1)]])
}

@Test func `two rules that explain each other leave the earlier finding`() {
  let result = settle([
    ScriptedRule("RACP-001", explains: ["RACP-004"], frames: [4, 5]),
    ScriptedRule("RACP-004", explains: ["RACP-001"], frames: [5]),
  ])
  #expect(result == ["RACP-001@4": [.init(rule: "RACP-004", count: 1)]])
}

@Test func `the registry's explanations have no circle`() {
  var explained: [RuleIdentifier: [RuleIdentifier]] = [:]
  for rule in RuleRegistry.rules { explained[rule.description.identifier] = rule.description.explains }
  for start in explained.keys {
    var reached: Set<RuleIdentifier> = []
    var open = explained[start] ?? []
    while let next = open.popLast() {
      if reached.insert(next).inserted { open += explained[next] ?? [] }
    }
    #expect(!reached.contains(start))
  }
}

@Test func `a mere observation silences nothing`() {
  var observation = Finding(
    "RACP-001",
    .note,
    .collector,
    .certain,
    link: 1,
    frames: [1, 2],
    time: 0,
    key: "x",
    message: ""
  )
  observation.isRootCause = false
  let verdicts = LinkVerdicts(
    LinkHistory(),
    rules: [
      ScriptedRule("RACP-001", explains: ["APP-003"], .fail([observation])), ScriptedRule("APP-003", frames: [2]),
    ]
  )
  #expect(verdicts.findings.map(\.rule) == ["RACP-001", "APP-003"])
}

@Test func `an unmet need makes every outcome inconclusive but the one that does without it`() {
  let rules = [
    ScriptedRule("RACP-001", needs: [.end], .pass), ScriptedRule("RACP-002", needs: [.end], .passWithout([.end])),
    ScriptedRule("RACP-004", needs: [.start], .fail([])), ScriptedRule("RACP-006", needs: [.end], .notApplicable),
    ScriptedRule("RACP-007", .inconclusive("no reason")),
  ]
  let verdicts = LinkVerdicts(LinkHistory(), rules: rules)
  #expect(verdicts.findings.isEmpty)
  #expect(verdicts.passed == ["RACP-002"])
  #expect(
    verdicts.inconclusive.map { "\($0.rule) \($0.reason)" } == [
      "RACP-001 the end of the link is not in the capture", "RACP-004 the start of the link is not in the capture",
      "RACP-007 no reason",
    ]
  )
}

@Test func `equal fingerprints on a link are told apart`() {
  let findings = LinkVerdicts(LinkHistory(), rules: [ScriptedRule("RACP-001", frames: [1], [2], [3])]).findings
  #expect(findings.map(\.fingerprint) == ["RACP-001 x", "RACP-001 x #2", "RACP-001 x #3"])
}

@Test func `a finding keeps its anchor first and twenty frames`() {
  let finding = Finding(
    "SEC-001",
    .error,
    .sensor,
    .certain,
    link: 1,
    frames: [30] + (1...40).reversed(),
    time: 0,
    key: "x",
    message: ""
  )
  #expect(finding.frames == [30] + (1...19))
  #expect(finding.frameCount == 40)
}

@Test func `a frame that shows two things is one frame`() {
  let finding = Finding(
    "SEC-005",
    .warning,
    .undetermined,
    .certain,
    link: 1,
    frames: [90, 86, 86, 90],
    omitted: 3,
    time: 0,
    key: "x",
    message: ""
  )
  #expect(finding.frames == [90, 86])
  #expect(finding.frameCount == 5)
}

@Test func `leaving inside an overlap stands under the overlap`() throws {
  let scenario = Scenario(
    "overlap-and-leave",
    [
      .firstArrival, .report(.all), .accept, .records(1...3), .report(.all), .accept, .records(4...6),
      .wait(milliseconds: 400), .disconnect(),
    ]
  )
  for side in Party.allCases {
    let findings = try Judgement(scenario, Rendering(side: side)).findings
    #expect(findings.map(\.rule) == ["RACP-001", "RACP-002"])
    #expect(findings.flatMap(\.consequences) == [.init(rule: "APP-003", count: 1)])
  }
}

@Test func `leaving beside a refused request is a matter of its own`() throws {
  let scenario = Scenario(
    "refused-and-leave",
    [
      .firstArrival, .report(.all), .accept, .records(1...3), .report(.all), .refuse(error: 0x80), .record(5),
      .wait(milliseconds: 400), .disconnect(),
    ]
  )
  for side in Party.allCases {
    let findings = try Judgement(scenario, Rendering(side: side)).findings
    #expect(findings.map(\.rule) == ["RACP-001", "APP-003"])
  }
}

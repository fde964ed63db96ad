import CaptureFiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

/// A rule and one of its examples, named for the test's output.
struct ExampleCase: CustomTestStringConvertible, Sendable {
  var rule: any LinkRule
  var example: RuleExample
  var identifier: RuleIdentifier { rule.description.identifier }
  var testDescription: String { "\(identifier): \(example.title)" }

  static let failing = RuleRegistry.linkRules.flatMap { rule in
    rule.failing.map { ExampleCase(rule: rule, example: $0) }
  }
  static let passing = RuleRegistry.linkRules.flatMap { rule in
    rule.passing.map { ExampleCase(rule: rule, example: $0) }
  }
}

/// What keeps a failing example from being one; nil where it fires once, at its mark, with its weight.
func flaw(_ item: ExampleCase, side: Party, rules: [any LinkRule] = RuleRegistry.linkRules) throws -> String? {
  let rendering = Rendering(side: side)
  let marked = item.example.scenario.frames(rendering).enumerated().filter { $0.element.isMarked }
    .map { UInt32($0.offset + 1) }
  guard marked.count == 1 else { return "\(marked.count) marked frames" }
  let judged = try Judgement(item.example.scenario, rendering, rules: rules)
  guard judged.findings.count == 1, let finding = judged.findings.first else {
    return "\(judged.findings.count) findings: \(judged.findings.map(\.message)), \(judged.inconclusive)"
  }
  if finding.rule != item.identifier { return "\(finding.rule) fires" }
  if finding.frames.first != marked[0] { return "anchored to \(finding.frames), marked \(marked)" }
  return finding.level == item.example.level ? nil : "level \(finding.level)"
}

@Test(arguments: ExampleCase.failing, Party.allCases)
func `a failing example fires once, at its mark, from both ends`(item: ExampleCase, side: Party) throws {
  #expect(try flaw(item, side: side) == nil)
}

@Test(arguments: ExampleCase.failing)
func `without its rule a failing example is quiet`(item: ExampleCase) throws {
  let others = RuleRegistry.linkRules.filter { $0.description.identifier != item.identifier }
  #expect(try flaw(item, side: .collector, rules: others) != nil)
  #expect(try Judgement(item.example.scenario, rules: others).findings.isEmpty)
}

@Test(arguments: ExampleCase.failing)
func `both ends tell the same story`(item: ExampleCase) throws {
  let collector = try Judgement(item.example.scenario, Rendering(side: .collector)).findings
  let sensor = try Judgement(item.example.scenario, Rendering(side: .sensor)).findings
  #expect(collector.map(\.fingerprint) == sensor.map(\.fingerprint))
  #expect(collector.map(\.level) == sensor.map(\.level))
  #expect(collector.map(\.fault) == sensor.map(\.fault))
}

@Test(arguments: ExampleCase.passing, Party.allCases)
func `a passing example passes from both ends`(item: ExampleCase, side: Party) throws {
  let judged = try Judgement(item.example.scenario, Rendering(side: side))
  #expect(judged.findings.map(\.message).isEmpty)
  #expect(judged.passed.contains(item.identifier))
  #expect(judged.inconclusive.map(\.reason).isEmpty)
}

@Test func `every rule has examples of both kinds, each with its own name`() {
  for rule in RuleRegistry.linkRules {
    #expect(!rule.failing.isEmpty && !rule.passing.isEmpty)
    let areLevelled = rule.failing.allSatisfy { $0.level != nil } && rule.passing.allSatisfy { $0.level == nil }
    #expect(areLevelled)
    let names = (rule.failing + rule.passing).map(\.scenario.name)
    #expect(Set(names).count == names.count)
  }
}

@Test(arguments: ExampleCase.failing)
func `a failing example fires in every format`(item: ExampleCase) throws {
  let expected = try Judgement(item.example.scenario).findings
  let formats: [WritableFormat] = [
    .btsnoop(.unencapsulated), .btsnoop(.uart), .btsnoop(.monitor), .pcap(.uart), .pcap(.uartWithDirection),
    .pcap(.monitor), .pcapng, .packetLogger(bigEndian: true), .packetLogger(bigEndian: false),
  ]
  for format in formats {
    for fragmentSize in [nil, 23, 11] {
      var rendering = Rendering(format: format)
      rendering.fragmentSize = fragmentSize
      let found = try Judgement(item.example.scenario, rendering)
      #expect(found.findings.map(\.fingerprint) == expected.map(\.fingerprint), "\(format) \(fragmentSize ?? 0)")
      #expect(found.findings.map(\.level) == expected.map(\.level), "\(format) \(fragmentSize ?? 0)")
    }
  }
}

import CaptureFiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

/// A rule and one of its examples, named for the test's output.
struct ExampleCase: CustomTestStringConvertible, Sendable {
  var rule: any Rule
  var example: RuleExample
  var identifier: RuleIdentifier { rule.description.identifier }
  var testDescription: String { "\(identifier): \(example.title)" }

  static let failing = RuleRegistry.rules.flatMap { rule in
    rule.failing.map { ExampleCase(rule: rule, example: $0) }
  }
  static let passing = RuleRegistry.rules.flatMap { rule in
    rule.passing.map { ExampleCase(rule: rule, example: $0) }
  }
}

/// What keeps a failing example from being one; nil where it fires once, at its mark, with its weight.
func flaw(_ item: ExampleCase, side: Party, rules: [any Rule] = RuleRegistry.rules) throws -> String? {
  let rendering = Rendering(side: side)
  guard item.example.ends.contains(side) else {
    let judged = try Judgement(item.example.scenario, rendering, rules: rules)
    return judged.findings(of: item.identifier).isEmpty ? nil : "fires from an end that does not see it"
  }
  let marked = item.example.scenario.frames(rendering).enumerated().filter { $0.element.isMarked }
    .map { UInt32($0.offset + 1) }
  guard marked.count == 1 else { return "\(marked.count) marked frames" }
  let judged = try Judgement(item.example.scenario, rendering, rules: rules)
  let own = judged.findings(of: item.identifier)
  guard own.count == 1, let finding = own.first else {
    return "\(own.count) findings; \(judged.findings.map(\.message)), \(judged.inconclusive)"
  }
  let others = judged.findings.map(\.rule).filter { $0 != item.identifier }
  if Set(others) != Set(item.example.alongside) { return "\(others) fire beside it" }
  if finding.frames.first != marked[0] { return "anchored to \(finding.frames), marked \(marked)" }
  return finding.level == item.example.level ? nil : "level \(finding.level)"
}

@Test(arguments: ExampleCase.failing, Party.allCases)
func `a failing example fires once, at its mark, from every end that sees it`(item: ExampleCase, side: Party) throws {
  let flaw = try flaw(item, side: side)
  #expect(flaw == nil)
}

@Test(arguments: ExampleCase.failing)
func `without its rule a failing example is quiet`(item: ExampleCase) throws {
  let others = RuleRegistry.rules.filter { $0.description.identifier != item.identifier }
  #expect(try flaw(item, side: item.example.ends[0], rules: others) != nil)
  let left = try Judgement(item.example.scenario, item.example.rendering, rules: others).findings.map(\.rule)
  let expected = item.example.alongside + item.rule.description.explains
  #expect(left.allSatisfy { expected.contains($0) }, "\(left)")
}

@Test(arguments: ExampleCase.failing.filter { $0.example.ends.count > 1 })
func `both ends tell the same story`(item: ExampleCase) throws {
  let collector = try Judgement(item.example.scenario, Rendering(side: .collector)).findings
  let sensor = try Judgement(item.example.scenario, Rendering(side: .sensor)).findings
  #expect(collector.map(\.fingerprint) == sensor.map(\.fingerprint))
  #expect(collector.map(\.level) == sensor.map(\.level))
  #expect(collector.map(\.fault) == sensor.map(\.fault))
}

@Test(arguments: ExampleCase.passing, Party.allCases)
func `a passing example passes from every end that sees it`(item: ExampleCase, side: Party) throws {
  let judged = try Judgement(item.example.scenario, Rendering(side: side))
  #expect(Set(judged.findings.map(\.rule)) == Set(item.example.alongside), "\(judged.findings.map(\.message))")
  #expect(judged.findings(of: item.identifier).isEmpty)
  guard item.example.ends.contains(side) else { return }
  let isJudged = judged.passed.contains(item.identifier)
  let reasons = judged.inconclusive.filter { $0.rule == item.identifier }.map(\.reason)
  #expect(isJudged && reasons.isEmpty, "\(reasons)")
}

@Test func `every rule has examples of both kinds, each with its own name`() {
  for rule in RuleRegistry.rules {
    let notes = (rule as? any CaptureRule)?.failingNotes ?? []
    #expect(!(rule.failing.isEmpty && notes.isEmpty) && !rule.passing.isEmpty)
    let areLevelled = rule.failing.allSatisfy { $0.level != nil } && rule.passing.allSatisfy { $0.level == nil }
    #expect(areLevelled)
    let names = (rule.failing + rule.passing).map(\.scenario.name)
    #expect(Set(names).count == names.count)
  }
}

@Test(arguments: ExampleCase.failing)
func `a failing example fires in every format`(item: ExampleCase) throws {
  let expected = try Judgement(item.example.scenario, item.example.rendering).findings
  let formats: [WritableFormat] = [
    .btsnoop(.unencapsulated), .btsnoop(.uart), .btsnoop(.monitor), .pcap(.uart), .pcap(.uartWithDirection),
    .pcap(.monitor), .pcapng, .packetLogger(bigEndian: true), .packetLogger(bigEndian: false),
  ]
  for format in formats {
    for fragmentSize in [nil, 23, 11] {
      var rendering = Rendering(format: format, side: item.example.ends[0])
      rendering.fragmentSize = fragmentSize
      let found = try Judgement(item.example.scenario, rendering)
      #expect(found.findings.map(\.fingerprint) == expected.map(\.fingerprint), "\(format) \(fragmentSize ?? 0)")
      #expect(found.findings.map(\.level) == expected.map(\.level), "\(format) \(fragmentSize ?? 0)")
    }
  }
}

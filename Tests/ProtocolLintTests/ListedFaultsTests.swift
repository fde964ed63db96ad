import LinkTrace
import ProtocolLint
import ReferenceCaptures
import Scenarios
import Testing

/// The sides that a rule's list of faults names: those that its own failing examples and notes give.
private let listed: [RuleIdentifier: Set<Fault>] = {
  var all: [RuleIdentifier: Set<Fault>] = [:]
  for item in ExampleCase.failing {
    let judged = try? Judgement(item.example.scenario, item.example.rendering)
    all[item.identifier, default: []].formUnion(judged?.findings(of: item.identifier).map(\.fault) ?? [])
  }
  for rule in RuleRegistry.captureRules { all[rule.description.identifier, default: []].insert(.capture) }
  return all
}()

private func unlisted(_ judged: Judgement) -> [Finding] {
  (judged.findings + judged.linkFindings).filter { !listed[$0.rule, default: []].contains($0.fault) }
}

@Test(arguments: ExampleCase.failing + ExampleCase.passing, Party.allCases)
func `a rule accuses no side in an example that its list does not name`(item: ExampleCase, side: Party) throws {
  let judged = try Judgement(item.example.scenario, Rendering(side: side))
  #expect(unlisted(judged).map { "\($0.rule) \($0.fault)" } == [])
}

@Test(.enabled(if: Folder.laboratory.isThere, "\(Folder.laboratory.absence)"))
func `a rule accuses no side in a recording that its list does not name`() throws {
  #expect(!Laboratory.recordings.isEmpty)
  for recording in Laboratory.recordings {
    let judged = try Laboratory.judge(recording)
    #expect(unlisted(judged).map { "\($0.rule) \($0.fault)" } == [], "\(recording)")
  }
}

@Test(arguments: ["CONN-006", "GATT-008", "GATT-009", "GATT-015", "MTU-001", "MTU-002", "SEC-003"] as [RuleIdentifier])
func `what either side may do is listed for both`(rule: RuleIdentifier) {
  #expect(listed[rule]?.isSuperset(of: [.sensor, .collector]) == true)
}

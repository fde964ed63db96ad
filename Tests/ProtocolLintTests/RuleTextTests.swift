import Glibc
import LinkTrace
import ProtocolLint
import ReferenceCaptures
import Scenarios
import Testing

@Test func `identifiers and names are unique and well formed`() {
  let descriptions = RuleRegistry.rules.map(\.description)
  #expect(Set(descriptions.map(\.identifier)).count == descriptions.count)
  #expect(Set(descriptions.map(\.name)).count == descriptions.count)
  let areas: Set<String> = ["CAP", "CONN", "SEC", "GATT", "MTU", "RACP", "SEQ", "VAL", "CLK", "APP", "EFF"]
  for description in descriptions {
    #expect(areas.contains(description.identifier.area))
    let number = description.identifier.description.drop { $0 != "-" }.dropFirst()
    let isNumber = number.allSatisfy { $0.isWholeNumber }
    #expect(number.count == 3 && isNumber)
    let isKebabCase = description.name.allSatisfy { $0 == "-" || $0.isLowercase }
    #expect(isKebabCase)
    #expect(description.summary.first?.isLowercase == true && !description.summary.hasSuffix("."))
    #expect(description.rationale.hasSuffix(".") && description.remedy.hasSuffix("."))
    #expect(!description.clause.isEmpty)
    // What is said of the capture needs nothing of it.
    #expect(description.needs.isEmpty == (description.identifier.area == "CAP"))
    #expect(!description.explains.contains(description.identifier))
    let known = Set(RuleRegistry.rules.map(\.description.identifier))
    #expect(known.isSuperset(of: description.explains), "\(description.identifier)")
  }
}

@Test(arguments: ExampleCase.failing)
func `a message is one sentence with numbers`(item: ExampleCase) throws {
  for finding in try Judgement(item.example.scenario, item.example.rendering).findings {
    #expect(finding.message.first == "\"" || finding.message.first?.isLowercase == true)
    #expect(!finding.message.hasSuffix("."))
    let hasNumber = finding.message.contains { $0.isNumber }
    #expect(hasNumber)
    #expect(!finding.message.contains("\n"))
    #expect(!finding.evidence.isEmpty)
    #expect(finding.frames.count <= 20)
    #expect(Array(finding.frames.dropFirst()) == finding.frames.dropFirst().sorted())
    #expect(Set(finding.frames).count == finding.frames.count)
    #expect(finding.frameCount >= finding.frames.count)
    #expect(finding.fingerprint.hasPrefix("\(finding.rule) "))
  }
}

@Test(.enabled(if: Folder.specification.isThere, "\(Folder.specification.absence)"))
func `the cited requirement rows exist in the specification sheet`() throws {
  let sheet = try #require(FileContent(Folder.specification.path("health-profiles.md")))
  let lines = sheet.text.split(whereSeparator: \.isNewline)
  for rule in RuleRegistry.rules {
    let clause = rule.description.clause
    let words: [Substring] = clause.split { !$0.isLetter && !$0.isNumber }
    let rows = words.filter {
      ($0.first == "C" || $0.first == "S") && $0.dropFirst().allSatisfy(\.isWholeNumber) && $0.count > 1
    }
    let restsElsewhere = clause.contains("Core Vol ") || clause.hasPrefix("good practice")
    #expect(!rows.isEmpty || restsElsewhere, "\(rule.description.identifier) cites no requirement row")
    for row in rows {
      let isListed = lines.contains { $0.hasPrefix("| \(row) |") }
      #expect(isListed, "\(row) of \(rule.description.identifier)")
    }
  }
}

@Test(.enabled(if: Folder.specification.isThere, "\(Folder.specification.absence)"))
func `a section of the Core Specification is cited only where the specification sheets name it`() throws {
  let sheets = try ["health-profiles.md", "transport.md"].map { name in
    try #require(FileContent(Folder.specification.path(name))).text.replacing("§", with: "")
  }
  var cited = 0
  for rule in RuleRegistry.rules {
    for citation in rule.description.clause.matches(of: /Core Vol \d Part [A-Z](?: \d[\d.]*)?/) {
      cited += 1
      guard citation.output.last?.isNumber == true else { continue }
      #expect(sheets.contains { $0.contains(citation.output) }, "\(rule.description.identifier): \(citation.output)")
    }
  }
  #expect(cited > 10)
}

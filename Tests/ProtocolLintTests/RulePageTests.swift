import Glibc
import ProtocolLint
import ReferenceCaptures
import Reporting
import Testing

private let pages = Folder.package.folder("docs/rules")

private func write(_ text: String, to path: String) -> Bool {
  guard let file = fopen(path, "w") else { return false }
  defer { fclose(file) }
  let octets = Array(text.utf8)
  return fwrite(octets, 1, octets.count, file) == octets.count
}

@Test(arguments: RuleRegistry.rules.map { ExampleCase(rule: $0, example: ($0.failing + $0.passing)[0]) })
func `the committed page of a rule is fresh`(item: ExampleCase) {
  let path = pages.path(RulePage.fileName(item.rule))
  let page = RulePage.markdown(item.rule)
  if getenv("UPDATE_GOLDEN") != nil { #expect(write(page, to: path)) }
  #expect(FileContent(path)?.text == page, "run the tests with UPDATE_GOLDEN=1 and look at the difference")
}

@Test func `every page in the folder has a rule`() {
  #expect(pages.names(ending: ".md") == RuleRegistry.rules.map { RulePage.fileName($0) }.sorted())
}

@Test(arguments: RuleRegistry.rules.map { ExampleCase(rule: $0, example: ($0.failing + $0.passing)[0]) })
func `a page has all its parts`(item: ExampleCase) {
  let page = RulePage.markdown(item.rule)
  let headings = [
    "# \(item.identifier) ", "## What it does", "## Why it matters", "## What the capture must show", "## Failing: ",
    "## Passing: ", "## What to do", "## Clause",
  ]
  let isDamage = item.rule is MalformedContainer
  for heading in headings where !(isDamage && heading == "## Failing: ") { #expect(page.contains(heading)) }
  #expect(isDamage || page.contains("<-- here"))
}

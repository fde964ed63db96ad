import Glibc
import ProtocolLint
import Reporting
import Testing

@Test(arguments: RuleRegistry.rules.map { ExampleCase(rule: $0, example: ($0.failing + $0.passing)[0]) })
func `the committed page of a rule is fresh`(item: ExampleCase) {
  let path = Surroundings.package() + "/docs/rules/" + RulePage.fileName(item.rule)
  let page = RulePage.markdown(item.rule)
  if getenv("UPDATE_GOLDEN") != nil { #expect(Surroundings.write(page, to: path)) }
  #expect(Surroundings.read(path) == page, "run the tests with UPDATE_GOLDEN=1 and look at the difference")
}

@Test func `every page in the folder has a rule`() {
  let pages = Surroundings.names(in: Surroundings.package() + "/docs/rules").filter { $0.hasSuffix(".md") }
  #expect(pages == RuleRegistry.rules.map { RulePage.fileName($0) }.sorted())
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

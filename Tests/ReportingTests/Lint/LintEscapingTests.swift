import Testing

@testable import Reporting

/// Text from outside inside of the markup of a report.
@Suite struct LintEscapingTests {
  private func xml(_ text: String, isAttribute: Bool = true) -> String {
    var output = OutputBuffer()
    output.append(xml: text, isAttribute: isAttribute)
    return output.text
  }

  @Test func whatXMLReservesIsAReference() {
    #expect(xml("a < b & \"c\" > d") == "a &lt; b &amp; &quot;c&quot; &gt; d")
    #expect(xml("one\ntwo\t") == "one&#10;two&#9;")
    #expect(xml("one\ntwo\r", isAttribute: false) == "one\ntwo&#13;")
  }

  @Test func whatXMLCannotHoldIsReplaced() {
    #expect(xml("\0\u{1B}[31m\u{FFFE}é") == "\u{FFFD}\u{FFFD}[31m\u{FFFD}é")
  }

  @Test func markdownStaysText() {
    #expect(MarkdownEscaping.text("*GM-1* <b> `x` | @me & #3") == "\\*GM-1\\* \\<b\\> \\`x\\` \\| &#64;me &amp; \\#3")
  }

  @Test func aPathBecomesAURI() {
    #expect(LintSARIF.uri("samples/a b.btsnoop") == "samples/a%20b.btsnoop")
    #expect(LintSARIF.uri("/data/a.zip: FS/b.log") == "file:///data/a.zip%3A%20FS/b.log")
    #expect(LintSARIF.uri("é") == "%C3%A9")
  }

  @Test func aPatternNamesRulesInThreeWays() {
    for word in ["RACP-001", "racp-001", "RACP", "overlapping-procedures"] { #expect(RulePattern(word) != nil) }
    for word in ["", "RACP-", "RACP-01", "overlapping", "*"] { #expect(RulePattern(word) == nil) }
  }
}

import CaptureFiles
import Reporting
import Testing

/// A redacted extract of a sample tells the same story and the same findings.
@Suite struct SampleRedactionTests {
  @Test(arguments: SampleFiles.names)
  func aRedactedExtractIsJudgedTheSame(name: String) throws {
    let original = try SampleFiles.octets(name)
    let whole = try SampleVerdicts(original)
    #expect(!whole.healthLinks.isEmpty)
    let sources = try captures(in: SampleFiles.path(name))
    let extract = try CaptureExtract(
      sources,
      .links(whole.healthLinks),
      redactingWith: RedactionKey(0x0123_4567_89AB_CDEF, 42)
    )
    let redacted = try SampleVerdicts(extract.octets)
    #expect(redacted.findings == whole.findings)
    let before = whole.outcomes.sorted { $0.key < $1.key }.map(\.value.outcome)
    let after = redacted.outcomes.sorted { $0.key < $1.key }.map(\.value.outcome)
    #expect(before == after)
    let plain = try CaptureExtract(sources, .links(whole.healthLinks))
    let storyBefore = try CaptureStory(plain.octets).lines
    let storyAfter = try CaptureStory(extract.octets).lines
    #expect(storyBefore == storyAfter)
  }
}

import Foundation
import Testing

/// What `lint` writes over a few samples in each format, word for word; `UPDATE_GOLDEN=1` writes it anew.
///
/// The rules are named, so that a new rule changes nothing here.
@Suite struct LintGoldenTests {
  static let samples = ["overlap-accepted.btsnoop", "no-encryption.btsnoop", "silence.btsnoop", "first-sync.btsnoop"]
  static let formats = ["text", "json", "jsonl", "sarif", "junit", "markdown"]

  @Test(arguments: formats)
  func everyFormatIsWhatItWas(format: String) throws {
    let version = try CommandRun(["--version"]).output.split(separator: " ").last?.dropLast() ?? ""
    for sample in Self.samples {
      let arguments = ["lint", "--utc", "--format", format, "--select", "SEC-001,RACP-001,APP-003"]
      let run = try CommandRun(arguments + ["samples/" + sample])
      #expect(run.status <= 1, "\(sample): \(run.complaint)")
      #expect(run.complaint.isEmpty)
      try GoldenFile.expect(run.output.replacing(version, with: "VERSION"), toBe: sample, in: "lint-" + format)
    }
  }

  @Test func thePageOfARuleIsPlainText() throws {
    let run = try CommandRun(["explain", "RACP-001"])
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("RACP-001 overlapping-procedures\n"))
    #expect(!run.output.contains("```"))
    #expect(!run.output.contains("##"))
    #expect(run.output.contains("<-- here"))
    #expect(run.output.contains("What to do"))
  }
}

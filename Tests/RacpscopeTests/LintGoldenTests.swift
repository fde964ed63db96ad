import Foundation
import Testing

/// What `lint` writes over a few samples in each format, word for word; `UPDATE_GOLDEN=1` writes it anew.
///
/// The rules are named, so that a new rule changes nothing here.
@Suite struct LintGoldenTests {
  static let samples = ["overlap-accepted.btsnoop", "no-encryption.btsnoop", "silence.btsnoop", "first-sync.btsnoop"]
  static let formats = ["text", "json", "jsonl", "sarif", "junit", "markdown"]

  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden")

  @Test(arguments: formats)
  func everyFormatIsWhatItWas(format: String) throws {
    let version = try CommandRun(["--version"]).output.split(separator: " ").last?.dropLast() ?? ""
    for sample in Self.samples {
      let arguments = ["lint", "--utc", "--format", format, "--select", "SEC-001,RACP-001,APP-003"]
      let run = try CommandRun(arguments + ["samples/" + sample])
      #expect(run.status <= 1, "\(sample): \(run.complaint)")
      #expect(run.complaint.isEmpty)
      try compare(run.output.replacing(version, with: "VERSION"), with: "lint-" + format, sample)
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

  private func compare(_ output: String, with folder: String, _ sample: String) throws {
    let golden = Self.folder.appendingPathComponent(folder).appendingPathComponent(sample + ".txt")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try FileManager.default.createDirectory(at: golden.deletingLastPathComponent(), withIntermediateDirectories: true)
      try output.write(to: golden, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOf: golden, encoding: .utf8)
    #expect(output == expected, "\(folder) over \(sample) is something else")
  }
}

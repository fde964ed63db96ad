import Foundation
import Testing

/// What the commands print that take no capture, and what `extract` writes of every sample, word for word.
@Suite struct CommandGoldenTests {
  @Test(arguments: ["bash", "zsh"])
  func completions(shell: String) throws {
    let run = try CommandRun(["completions", shell])
    #expect(run.status == 0 && run.complaint.isEmpty)
    try GoldenFile.expect(run.output, toBe: shell, in: "completions")
  }

  @Test(arguments: ["text", "json"])
  func rules(format: String) throws {
    let run = try CommandRun(["rules", "--format", format])
    #expect(run.status == 0 && run.complaint.isEmpty)
    let version = try CommandRun(["--version"]).output.split(separator: " ").last?.dropLast() ?? ""
    try GoldenFile.expect(run.output.replacing("\"\(version)\"", with: "\"VERSION\""), toBe: format, in: "rules")
  }

  /// Pages of a rule over a link, a device and a capture, and of a whole area; the others are pages of `docs/rules`.
  @Test(arguments: ["RACP-001", "APP-003", "EFF-001", "CAP-009", "SEC"])
  func explain(rule: String) throws {
    let run = try CommandRun(["explain", rule])
    #expect(run.status == 0 && run.complaint.isEmpty)
    try GoldenFile.expect(run.output, toBe: rule, in: "explain")
  }

  /// The extract as `packets` reads it; of a redacted one, whose aliases differ from run to run, the size.
  @Test(arguments: GoldenTests.samples)
  func extract(sample: String) throws {
    let folder = try ScratchFolder()
    let path = folder.path("extract.btsnoop")
    var text = ""
    for options in [[], ["--redact"]] {
      let run = try CommandRun(["extract", "--link", "1"] + options + ["-o", path, "samples/" + sample])
      #expect(run.status == 0 && run.output.isEmpty, "\(sample): \(run.complaint)")
      let octets = try folder.octets("extract.btsnoop").count
      text += run.complaint.replacing(path, with: "extract.btsnoop") + "\(octets) octets\n"
      guard options.isEmpty else { continue }
      let packets = try CommandRun(["packets", "--utc", path])
      #expect(packets.status == 0 && packets.complaint.isEmpty)
      text += packets.output
    }
    try GoldenFile.expect(text, toBe: sample, in: "extract")
  }
}

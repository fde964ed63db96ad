import Foundation
import Testing

/// What every command prints over every sample, word for word; `UPDATE_GOLDEN=1` writes it anew.
@Suite struct GoldenTests {
  static let samples: [String] = {
    let folder = CommandRun.root.appendingPathComponent("samples")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.contains(".") && $0 != "README.md" }.sorted()
  }()

  static let commands: [(name: String, arguments: [String])] = [
    ("show", ["show", "--utc"]),
    ("records", ["records", "--utc"]),
    ("records-csv", ["records", "--utc", "--format", "csv"]),
    ("records-jsonl", ["records", "--utc", "--format", "jsonl"]),
    ("packets", ["packets", "--utc"]),
    ("packets-jsonl", ["packets", "--utc", "--format", "jsonl"]),
    ("gatt", ["gatt"]),
    ("gatt-json", ["gatt", "--format", "json"]),
  ]

  @Test func thereAreADozenSamples() {
    #expect(Self.samples.count >= 12)
  }

  @Test(arguments: samples)
  func everyCommandPrintsWhatItDid(sample: String) throws {
    for command in Self.commands {
      let run = try CommandRun(command.arguments + ["samples/" + sample])
      #expect(run.status == 0, "\(command.name) \(sample): \(run.complaint)")
      #expect(run.complaint.isEmpty)
      try GoldenFile.expect(run.output, toBe: sample, in: command.name)
    }
  }
}

/// The screen in the README is what the program prints.
@Suite struct ReadmeTests {
  @Test func theScreenIsTheRealOne() throws {
    let run = try CommandRun(["--utc", "samples/first-sync.btsnoop"])
    let readme = try String(contentsOf: CommandRun.root.appendingPathComponent("README.md"), encoding: .utf8)
    #expect(run.status == 0)
    #expect(readme.contains("$ racpscope samples/first-sync.btsnoop\n" + run.output))
  }
}

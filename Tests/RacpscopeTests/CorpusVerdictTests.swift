import Foundation
import ReferenceCaptures
import Testing

/// What `lint` says of the public captures, which stand beside the package and are no part of it; `UPDATE_GOLDEN=1`
/// writes it anew, and `docs/corpus-verdicts.md` explains what is doubtful.
@Suite struct CorpusVerdictTests {
  private static let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Golden/corpus-verdicts.tsv")

  private static let captures = Folder.corpus.folder("captures")

  /// A line for a file that is refused or has nothing to judge, and one for each finding.
  private static func lines(_ name: String) throws -> [String] {
    let arguments = ["lint", "--utc", "--format", "jsonl", "--fail-on", "never"]
    let run = try CommandRun(arguments + [captures.path(name)])
    let outcome = run.status == 2 ? "refused" : run.status == 3 ? "nothing to judge" : "judged"
    let findings = try run.output.split(separator: "\n").map { line in
      let finding = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let words = ["rule", "level", "fault", "confidence"].map { finding[$0] as? String ?? "" }
      return ([name] + words + ["\(finding["frameCount"] as? Int ?? 0)"]).joined(separator: "\t")
    }
    return ["\(name)\t\(outcome)"] + findings
  }

  @Test(.enabled(if: Folder.corpus.isThere, "\(Folder.corpus.absence)"))
  func theVerdictsAreWhatTheyWere() throws {
    let verdicts = try Self.captures.names().flatMap { try Self.lines($0) }.joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try verdicts.write(to: Self.golden, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: Self.golden, encoding: .utf8) == verdicts)
    // A person who reads the packets finds nobody to accuse in any of them.
    #expect(!verdicts.contains("\terror\t") && !verdicts.contains("\twarning\t"))
  }

  @Test func everyDoubtfulOneIsExplained() throws {
    let page = CommandRun.root.appendingPathComponent("docs/corpus-verdicts.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    for line in try String(contentsOf: Self.golden, encoding: .utf8).split(separator: "\n") {
      let cells = line.split(separator: "\t")
      if cells.count > 2 { #expect(text.contains(cells[1]), "\(line)") }
    }
  }
}

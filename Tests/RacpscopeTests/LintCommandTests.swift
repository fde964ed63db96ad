import Foundation
import Testing

/// Exit codes, choice of rules, baselines and destinations of `racpscope lint`.
@Suite struct LintCommandTests {
  private static let overlap = "samples/overlap-accepted.btsnoop"
  private static let silence = "samples/silence.btsnoop"
  private static let clean = "samples/first-sync.btsnoop"
  /// The rules these tests rest on, whatever rules there are.
  private static let rules = ["--select", "SEC-001,RACP-001,APP-003"]

  private func lint(_ arguments: [String]) throws -> CommandRun { try CommandRun(["lint", "--utc"] + arguments) }

  private func findings(_ arguments: [String]) throws -> [[String: Any]] {
    let run = try lint(["--format", "jsonl"] + arguments)
    return try run.output.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  // MARK: Exit status

  @Test func theStatusSaysWhatWasFound() throws {
    #expect(try lint(Self.rules + [Self.clean]).status == 0)
    #expect(try lint(Self.rules + [Self.overlap]).status == 1)
    #expect(try lint(Self.rules + ["samples/nothing.btsnoop"]).status == 2)
    #expect(try lint(Self.rules + ["README.md", Self.overlap]).status == 2)
    #expect(try lint([Self.overlap, "--fail-on", "sometimes"]).status == 2)
  }

  @Test func theThresholdDecides() throws {
    #expect(try lint(Self.rules + [Self.silence]).status == 0)
    #expect(try lint(Self.rules + ["--fail-on", "warning", Self.silence]).status == 1)
    #expect(try lint(Self.rules + ["--fail-on", "never", Self.overlap]).status == 0)
    #expect(try lint(Self.rules + ["--fail-on", "inconclusive", Self.clean]).status == 0)
    #expect(try lint(Self.rules + ["--fail-on", "inconclusive", "samples/mid-connection-start.pcap"]).status == 1)
  }

  @Test func nothingToJudgeIsNotGreen() throws {
    let folder = try ScratchFolder()
    // A btsnoop file without records.
    let header: [UInt8] = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]
    try Data(header).write(to: URL(fileURLWithPath: folder.path("empty.btsnoop")))
    let empty = folder.path("empty.btsnoop")
    let run = try lint([empty])
    #expect(run.status == 3)
    #expect(run.complaint.contains("nothing to judge"))
    #expect(try lint(["--allow-empty", empty]).status == 0)
    #expect(try lint(["--allow-empty", empty]).complaint.isEmpty)
    // One file with something to judge decides, and the empty one is named.
    let both = try lint(Self.rules + [empty, Self.clean])
    #expect(both.status == 0)
    #expect(both.complaint.contains("empty.btsnoop"))
    #expect(try lint(["--device", "no such device", Self.overlap]).status == 3)
  }

  @Test func twoReportsInOneFileAreAMistake() throws {
    let folder = try ScratchFolder()
    let report = folder.path("report")
    let link = folder.path("link")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "report")
    let pairs = [
      ["-o", "json=" + report, "-o", "sarif=" + report],
      ["-o", "json=" + report, "-o", "sarif=" + folder.path("./report")],
      ["-o", "json=" + report, "-o", "sarif=" + link],
      ["-o", "json=" + report, "--write-baseline", report],
      ["-o", "json=-", "--format", "text"],
    ]
    // A file that is not there yet, and then one that is.
    for isThere in [false, true] {
      if isThere { try Data("kept".utf8).write(to: URL(fileURLWithPath: report)) }
      for pair in pairs {
        let run = try lint(Self.rules + pair + [Self.clean])
        #expect(run.status == 2, "\(pair)")
        #expect(run.complaint.contains("two reports would be written to"), "\(pair)")
        #expect(run.output.isEmpty)
      }
    }
    #expect(try String(contentsOfFile: report, encoding: .utf8) == "kept")
    let apart = ["-o", "json=" + folder.path("a"), "-o", "sarif=" + folder.path("b")]
    #expect(try lint(Self.rules + apart + [Self.clean]).status == 0)
    #expect(try lint(Self.rules + ["-o", "json=/dev/null", "-o", "sarif=/dev/null", Self.clean]).status == 0)
  }

  // MARK: Rules and levels

  @Test func rulesAreSelectedAndIgnored() throws {
    #expect(try lint(["--select", "SEC", Self.overlap]).status == 0)
    #expect(try findings(["--select", "racp-001", Self.overlap]).count == 1)
    #expect(try findings(["--select", "overlapping-procedures", Self.overlap]).count == 1)
    #expect(try findings(Self.rules + ["--ignore", "RACP-001", Self.overlap]).isEmpty)
    #expect(try findings(Self.rules + ["--ignore", "SEC,RACP", "--ignore", "APP", Self.overlap]).isEmpty)
  }

  @Test func anUnknownRuleGetsAHint() throws {
    for arguments in [["--select", "RACP-01"], ["--ignore", "RACP-01"], ["--level", "RACP-01=note"]] {
      let run = try lint(arguments + [Self.overlap])
      #expect(run.status == 2)
      #expect(run.complaint.contains("RACP-001"))
    }
    let run = try CommandRun(["explain", "RACP-01"])
    #expect(run.status == 2)
    #expect(run.complaint.lowercased().contains("did you mean 'racp-001'?"))
  }

  @Test func levelsChangeWhatCounts() throws {
    #expect(try lint(Self.rules + ["--level", "RACP-001=warning", Self.overlap]).status == 0)
    #expect(try lint(Self.rules + ["--level", "APP=error", Self.silence]).status == 1)
    #expect(try findings(Self.rules + ["--level", "APP-003=note", Self.silence]).first?["level"] as? String == "note")
    #expect(try findings(Self.rules + ["--level", "APP-003=off", Self.silence]).isEmpty)
    #expect(try lint(["--level", "RACP-001", Self.overlap]).status == 2)
    #expect(try lint(["--level", "RACP-001=grave", Self.overlap]).status == 2)
  }

  @Test func oneSideIsJudgedAlone() throws {
    let encryption = "samples/no-encryption.btsnoop"
    #expect(try lint(Self.rules + ["--side", "sensor", encryption]).status == 1)
    let run = try lint(Self.rules + ["--side", "collector", encryption])
    #expect(run.status == 0)
    #expect(run.output.contains("1 not of this side"))
    #expect(try lint(Self.rules + ["--side", "collector", Self.overlap]).status == 1)
    #expect(try lint(Self.rules + ["--side", "sensor", Self.overlap]).status == 0)
  }

  @Test func theDeviceIsChosenByNameOrAddress() throws {
    #expect(try lint(Self.rules + ["--device", "gm-1", Self.overlap]).status == 1)
    #expect(try lint(Self.rules + ["--device", "F0:0D:CA:FE:00:01", Self.overlap]).status == 1)
  }

  // MARK: Baseline

  @Test func aBaselineTakesKnownFindingsOutOfTheCount() throws {
    let folder = try ScratchFolder()
    let file = folder.path("known.json")
    #expect(try lint(Self.rules + ["--write-baseline", file, Self.overlap]).status == 0)
    #expect(try folder.text("known.json").contains("\"racpscope/baseline/1\""))
    #expect(try lint(Self.rules + ["--baseline", file, Self.overlap]).status == 0)
    let known = try findings(Self.rules + ["--baseline", file, Self.overlap])
    #expect(known.count == 1)
    #expect(known.first?["suppressed"] as? Bool == true)
    // Another fault is new.
    #expect(try lint(Self.rules + ["--baseline", file, "samples/no-encryption.btsnoop"]).status == 1)
    // The same findings give the same file.
    let first = try folder.text("known.json")
    _ = try lint(Self.rules + ["--baseline", file, "--write-baseline", file, Self.overlap])
    #expect(try folder.text("known.json") == first)
  }

  @Test func aFileThatIsNoBaselineIsRefused() throws {
    let folder = try ScratchFolder()
    for text in ["", "[]", "{\"schema\": \"racpscope/gatt/1\"}", "{\"schema\": \"racpscope/baseline/1\"}", "{"] {
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("bad.json")))
      let run = try lint(["--baseline", folder.path("bad.json"), Self.overlap])
      #expect(run.status == 2)
      #expect(run.complaint.contains("bad.json"))
      #expect(!run.complaint.contains("gatt --format"))
    }
    #expect(try lint(["--baseline", folder.path("none.json"), Self.overlap]).status == 2)
  }

  // MARK: Destinations and inputs

  @Test func severalReportsGoToTheirFiles() throws {
    let folder = try ScratchFolder()
    let outputs = ["--output", "json=" + folder.path("a.json"), "--output", "markdown=" + folder.path("a.md")]
    let run = try lint(Self.rules + outputs + [Self.overlap])
    #expect(run.status == 1)
    #expect(run.output.isEmpty)
    #expect(run.complaint.contains("1 error in 1 capture"))
    #expect(try folder.text("a.json").contains("racpscope/lint/1"))
    #expect(try folder.text("a.md").contains("#### error RACP-001"))
    let both = try lint(Self.rules + outputs + ["--format", "text", Self.overlap])
    #expect(both.output.contains("error[RACP-001]"))
    #expect(both.complaint.isEmpty)
    #expect(try lint(["--output", "pdf=a.pdf", Self.overlap]).status == 2)
    #expect(try lint(["--output", "lint.sarif", Self.overlap]).status == 2)
    #expect(try lint(["--output", "json=" + Self.overlap, Self.overlap]).status == 2)
    #expect(try lint(["--output", "json=" + folder.path("none/a.json"), Self.overlap]).status == 2)
  }

  @Test func severalFilesKeepTheirOrder() throws {
    let found = try findings(Self.rules + [Self.silence, Self.clean, Self.overlap])
    #expect(found.map { $0["file"] as? String } == [Self.silence, Self.overlap])
    let again = try lint(Self.rules + ["--format", "json", Self.silence, Self.clean, Self.overlap])
    #expect(try lint(Self.rules + ["--format", "json", Self.silence, Self.clean, Self.overlap]).output == again.output)
  }

  @Test func joinedFilesAreOneCapture() throws {
    let run = try lint(Self.rules + ["--join", "--format", "json", Self.silence, Self.overlap])
    let root = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let captures = try #require(root["captures"] as? [[String: Any]])
    #expect(captures.count == 1)
    #expect((captures.first?["joined"] as? [String])?.count == 1)
    #expect((captures.first?["findings"] as? [Any])?.count == 2)
  }

  @Test func standardInputIsJudged() throws {
    let data = try Data(contentsOf: CommandRun.root.appendingPathComponent(Self.overlap))
    let run = try CommandRun(["lint"] + Self.rules + ["-"], input: data)
    #expect(run.status == 1)
    #expect(run.output.contains("error[RACP-001]"))
  }
}

import Foundation
import Testing

/// The program as a user meets it: exit codes, streams, messages.
@Suite struct CommandTests {
  private static let sample = "samples/first-sync.btsnoop"

  @Test func aFileThatIsMissingIsOneSentenceAndExitTwo() throws {
    let run = try CommandRun(["samples/nothing.btsnoop"])
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.complaint.contains("samples/nothing.btsnoop cannot be opened"))
  }

  @Test func aFileThatIsNoCaptureSaysWhatItLooksLike() throws {
    let run = try CommandRun(["README.md"])
    #expect(run.status == 2)
    #expect(run.complaint.contains("# racpscope"))
    #expect(run.complaint.split(separator: "\n").count == 1)
  }

  @Test func oneBadFileDoesNotKeepTheOthersBack() throws {
    let run = try CommandRun(["--utc", "LICENSE", Self.sample])
    #expect(run.status == 2)
    #expect(run.output.contains("report all"))
  }

  @Test func aNearMissGetsAHint() throws {
    let run = try CommandRun(["records", "--fromat", "csv", Self.sample])
    #expect(run.status == 2)
    #expect(run.complaint.contains("--format"))
  }

  @Test func showIsTheDefault() throws {
    let short = try CommandRun(["--utc", Self.sample])
    let long = try CommandRun(["show", "--utc", Self.sample])
    #expect(short.status == 0)
    #expect(short.output == long.output)
  }

  @Test func standardInputTellsTheSameLinks() throws {
    let data = try Data(contentsOf: CommandRun.root.appendingPathComponent(Self.sample))
    let run = try CommandRun(["--utc", "-"], input: data)
    #expect(run.status == 0)
    #expect(run.output.contains("report all"))
    #expect(run.output.contains("30 records, 7 contexts"))
    #expect(run.output.contains("sequence 1–30 complete"))
  }

  @Test func severalFilesComeInTheOrderTheyWereNamed() throws {
    let run = try CommandRun(["--utc", "samples/silence.btsnoop", Self.sample])
    let first = run.output.range(of: "samples/silence.btsnoop")
    let second = run.output.range(of: Self.sample)
    #expect(run.status == 0)
    #expect(first != nil && second != nil)
    if let first, let second { #expect(first.lowerBound < second.lowerBound) }
  }

  @Test func joinedFilesAreOneStory() throws {
    let run = try CommandRun(["--utc", "--join", "samples/bonded-reconnect.btsnoop", Self.sample])
    #expect(run.status == 0)
    #expect(run.output.contains("sequence 1–34 complete"))
    // The discovery of one file names the handles of the other.
    #expect(run.output.contains("remembered"))
  }

  @Test func noKeyIsEverPrinted() throws {
    // The long-term key of the sample's pairing, as its own log has it.
    let key = "600e8b11129e7470feaf15fda8e93a3e"
    for command in [["show", "--all"], ["packets", "--hex"], ["packets", "--format", "jsonl", "--hex"], ["gatt"]] {
      let run = try CommandRun(command + [Self.sample])
      #expect(run.status == 0)
      let squeezed = run.output.lowercased().filter { $0.isHexDigit }
      #expect(!squeezed.contains(key))
    }
  }

  @Test func colourIsOnlyForTerminals() throws {
    let run = try CommandRun([Self.sample], environment: ["TERM": "xterm-256color"])
    #expect(!run.output.contains("\u{1B}"))
  }

  @Test func completionsComeFromTheDeclarations() throws {
    for shell in ["bash", "zsh"] {
      let run = try CommandRun(["completions", shell])
      #expect(run.status == 0)
      #expect(run.output.contains("--duplicates"))
      #expect(run.output.contains("extract"))
    }
  }

  @Test func helpBeginsWithExamples() throws {
    for command in ["show", "lint", "records", "packets", "gatt", "extract", "explain", "rules", "completions"] {
      let run = try CommandRun([command, "--help"])
      #expect(run.status == 0)
      let example = run.output.range(of: "Examples:")
      let usage = run.output.range(of: "Usage:")
      #expect(example != nil && usage != nil)
      if let example, let usage { #expect(example.lowerBound < usage.lowerBound) }
    }
  }
}

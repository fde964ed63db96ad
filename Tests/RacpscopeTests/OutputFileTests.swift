import Foundation
import Testing

/// `--output` replaces a file once the new one is whole, and never an input.
@Suite struct OutputFileTests {
  private static let sample = "first-sync.btsnoop"

  @Test(arguments: ["records", "packets"])
  func anInputIsNeverTheOutput(_ command: String) throws {
    let folder = try ScratchFolder()
    let path = try folder.copy(Self.sample, as: "a.btsnoop")
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: path)
    for output in [path, folder.path("link"), folder.path("../\(folder.url.lastPathComponent)/a.btsnoop")] {
      let run = try CommandRun([command, "-o", output, path])
      #expect(run.status == 2)
      #expect(run.complaint.contains("would overwrite the input"))
      #expect(try folder.octets("a.btsnoop") == folder.octets(ofSample: Self.sample))
    }
  }

  @Test(arguments: ["records", "packets"])
  func anInputThatCannotBeReadLeavesTheOldFile(_ command: String) throws {
    let folder = try ScratchFolder()
    try Data("precious".utf8).write(to: folder.url.appendingPathComponent("old"))
    let run = try CommandRun([command, "-o", folder.path("old"), folder.path("missing.btsnoop")])
    #expect(run.status == 2)
    #expect(try folder.octets("old") == Data("precious".utf8))
    #expect(try folder.names == ["old"])
  }

  @Test(arguments: ["records", "packets"])
  func theFileHasWhatStdoutWouldHave(_ command: String) throws {
    let folder = try ScratchFolder()
    try Data("old".utf8).write(to: folder.url.appendingPathComponent("out"))
    let plain = try CommandRun([command, "--utc", "samples/" + Self.sample])
    let run = try CommandRun([command, "--utc", "-o", folder.path("out"), "samples/" + Self.sample])
    #expect(run.status == 0)
    #expect(run.output.isEmpty)
    #expect(try String(decoding: folder.octets("out"), as: UTF8.self) == plain.output)
    #expect(try folder.names == ["out"])
    let mode = try FileManager.default.attributesOfItem(atPath: folder.path("out"))[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func aLinkStaysALink() throws {
    let folder = try ScratchFolder()
    try Data("old".utf8).write(to: folder.url.appendingPathComponent("target"))
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "target")
    #expect(try CommandRun(["records", "-o", folder.path("link"), "samples/" + Self.sample]).status == 0)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == "target")
    #expect(try folder.octets("target").count > 100)
  }

  @Test func aFolderThatIsMissingIsNamed() throws {
    for command in ["records", "packets"] {
      let run = try CommandRun([command, "-o", "/nonexistent/x", "samples/" + Self.sample])
      #expect(run.status == 2)
      #expect(run.complaint.contains("the folder /nonexistent does not exist"))
    }
    let extract = try CommandRun(["extract", "--link", "1", "-o", "/nonexistent/x", "samples/" + Self.sample])
    #expect(extract.status == 2)
    #expect(extract.complaint.contains("the folder /nonexistent does not exist"))
  }

  @Test func aFullDeviceIsTold() throws {
    let run = try CommandRun(["packets", "-o", "/dev/full", "samples/" + Self.sample])
    #expect(run.status == 2)
    #expect(run.complaint == "racpscope: the output is incomplete: no space left to write to.\n")
    #expect(try CommandRun(["packets", "-o", "/dev/null", "samples/" + Self.sample]).status == 0)
  }
}

/// Every command says when its output did not arrive.
@Suite struct StandardOutputTests {
  private static let commands = [
    "show samples/first-sync.btsnoop", "samples/first-sync.btsnoop samples/silence.btsnoop",
    "show - < samples/first-sync.btsnoop", "records samples/first-sync.btsnoop", "packets samples/first-sync.btsnoop",
    "gatt samples/first-sync.btsnoop", "gatt --format json samples/first-sync.btsnoop", "completions bash", "--help",
    "rules", "rules --format json", "explain RACP-001",
    "help records", "--version",
  ]

  @Test(arguments: commands)
  func aFullDeviceIsToldOnce(_ command: String) throws {
    let run = try ScratchFolder().shell("\"$racpscope\" \(command) > /dev/full")
    #expect(run.status == 2)
    #expect(run.complaint == "racpscope: the output is incomplete: no space left to write to.\n")
  }

  @Test(arguments: commands)
  func aClosedOutputIsTold(_ command: String) throws {
    let run = try ScratchFolder().shell("\"$racpscope\" \(command) >&-")
    #expect(run.status == 2)
    #expect(run.complaint == "racpscope: the output is incomplete: standard output is closed.\n")
  }

  @Test(arguments: commands)
  func aReaderThatIsGoneIsNoFault(_ command: String) throws {
    // The reader ends at once; the pause lets it.
    let line = "{ sleep 0.2; \"$racpscope\" \(command); echo $? >&2; } | true"
    let run = try ScratchFolder().shell(line)
    #expect(run.complaint == "0\n")
  }
}

import Foundation
import Testing

/// What goes to stderr: one line each time.
@Suite struct ComplaintTests {
  private static let sample = "samples/first-sync.btsnoop"

  @Test(arguments: [
    ["nothing.btsnoop"], ["README.md"], ["records", "--fromat", "csv", sample], ["completions", "fish"],
    ["extract", sample],
    ["extract", "--link", "9", "-o", "/dev/null", sample],
    ["extract", "--device", "nobody", "-o", "/dev/null", sample],
    ["--gatt", "README.md", sample], ["records", "--since", "noon", sample],
  ])
  func aComplaintIsOneLine(_ arguments: [String]) throws {
    let run = try CommandRun(arguments)
    #expect(run.status == 2)
    let lines = run.complaint.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 2 && lines.last == "")
    #expect(run.complaint.hasPrefix("racpscope: "))
    #expect(run.complaint.hasSuffix(".\n") || run.complaint.hasSuffix("?\n"))
    #expect(!run.complaint.contains(".."))
  }

  /// Of nothing that could be read there is nothing to count.
  @Test(arguments: ["show", "records", "packets", "gatt"])
  func anEmptyFileIsOneLine(command: String) throws {
    let folder = try ScratchFolder()
    try Data().write(to: folder.url.appendingPathComponent("empty"))
    let run = try CommandRun([command, folder.path("empty")])
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    #expect(run.complaint.hasSuffix("empty is empty. Check that the logger was running and has been stopped.\n"))
    let beside = try CommandRun(["records", folder.path("empty"), Self.sample])
    #expect(beside.status == 2)
    #expect(beside.output.contains("\n30 records.\n"))
  }

  @Test func firstOctetsAreEscapedOnce() throws {
    let folder = try ScratchFolder()
    try Data("{\"a\":1}".utf8).write(to: folder.url.appendingPathComponent("a.json"))
    let run = try CommandRun([folder.path("a.json")])
    #expect(run.complaint.contains("it starts with \"{\"a\":1}\" (text)."))
  }

  @Test func whatIsNotThereIsTold() throws {
    let link = try CommandRun(["packets", "--link", "9", Self.sample])
    #expect(link.status == 2 && link.output.isEmpty)
    #expect(link.complaint == "racpscope: \(Self.sample) has no link 9. Its only link is 1.\n")
    let frame = try CommandRun(["packets", "--frames", "90000-", Self.sample])
    #expect(frame.status == 2 && frame.output.isEmpty)
    #expect(frame.complaint.hasPrefix("racpscope: \(Self.sample) has no frame 90000. Its frames are 1 to "))
    let both = try CommandRun(["packets", "--frames", "1", "--link", "1", Self.sample])
    #expect(both.complaint.contains("has none of the frames asked for on link 1. The link is in frames "))
    let device = try CommandRun(["gatt", "--device", "nobody", Self.sample])
    #expect(device.status == 2 && device.output.isEmpty)
    #expect(device.complaint.hasPrefix("racpscope: no device matches \"nobody\". There "))
    #expect(device.complaint.split(separator: "\n").count == 1)
  }

  @Test func whatIsThereIsListedTheSameWay() throws {
    let meter = "There is F0:0D:CA:FE:00:01 (GM-1 0001).\n"
    for command in [["show"], ["records"], ["gatt"], ["extract", "-o", "/dev/null"]] {
      let run = try CommandRun(command + ["--device", "nobody", Self.sample])
      #expect(run.complaint == "racpscope: no device matches \"nobody\". " + meter)
    }
    let link = try CommandRun(["extract", "--link", "99", "-o", "/dev/null", Self.sample])
    #expect(link.complaint == "racpscope: the capture has no link 99. Its only link is 1.\n")
  }

  @Test func aStreamThatIsTooShortIsTold() throws {
    let data = try Data(contentsOf: CommandRun.root.appendingPathComponent(Self.sample))
    let run = try CommandRun(["packets", "--frames", "90000", "-"], input: data)
    #expect(run.status == 2)
    #expect(run.complaint.contains("has no frame 90000"))
    let link = try CommandRun(["packets", "--link", "9", "-"], input: data)
    #expect(link.status == 2 && link.output.isEmpty)
    #expect(link.complaint.contains("has no frame of link 9"))
  }

  @Test(arguments: [["show"], ["records"], ["gatt"], ["show", "--link", "9"]])
  func whoIsNotThereIsToldTheSameWay(_ command: [String]) throws {
    let run = try CommandRun(command + ["--device", "\u{1B}[31mnobody", Self.sample])
    #expect(run.status == 2)
    let start = "racpscope: no device matches \"\\u{1b}[31mnobody\". There is "
    #expect(run.complaint.hasPrefix(start), "\(run.complaint)")
    #expect(!run.output.contains("\u{1B}") && !run.output.contains("nobody"))
    let stream = try CommandRun(
      ["show", "--device", "nobody", "-"],
      input: Data(contentsOf: CommandRun.root.appendingPathComponent(Self.sample))
    )
    #expect(stream.status == 2)
    #expect(stream.complaint.contains("no device matches"))
  }

  /// What is refused only when it is read leaves nothing to join.
  @Test(arguments: ["show", "records", "packets", "gatt", "lint"])
  func joinedFilesThatAreAllRefused(_ command: String) throws {
    let folder = try ScratchFolder()
    // A pcap of a radio link type (251) with one packet.
    let header: [UInt8] =
      [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0] + Array(repeating: 0, count: 8) + [255, 255, 0, 0, 251, 0, 0, 0]
    let packet: [UInt8] = Array(repeating: 0, count: 8) + [4, 0, 0, 0, 4, 0, 0, 0, 1, 2, 3, 4]
    for name in ["a.pcap", "b.pcap"] {
      try Data(header + packet).write(to: folder.url.appendingPathComponent(name))
    }
    let run = try CommandRun([command, "--join", folder.path("a.pcap"), folder.path("b.pcap")])
    #expect(run.status == 2)
    #expect(run.complaint.contains("a.pcap"))
  }

  @Test func aLinkOfTheStoryThatIsNotThere() throws {
    let run = try CommandRun(["show", "--link", "9", Self.sample])
    #expect(run.status == 2)
    #expect(run.complaint.hasPrefix("racpscope: link 9 of \(Self.sample) is not a link to a health device"))
    // What one of the files has is an answer.
    let both = try CommandRun(["show", "--device", "F0:0D", Self.sample, "samples/bonded-reconnect.btsnoop"])
    #expect(both.status == 0 && both.complaint.isEmpty, "\(both.complaint)")
  }

  @Test func aStreamOfPacketsSaysThatItsNamesComeLate() throws {
    let data = try Data(contentsOf: CommandRun.root.appendingPathComponent(Self.sample))
    let run = try CommandRun(["packets", "-"], input: data)
    #expect(run.status == 0)
    #expect(run.complaint.contains("handles are named from their discovery on"))
    #expect(run.complaint.split(separator: "\n").count == 1)
    #expect(try CommandRun(["packets", Self.sample]).complaint.isEmpty)
  }

  @Test func theLastFrameOfALinkIsOfTheLinkInAStreamToo() throws {
    let data = try Data(contentsOf: CommandRun.root.appendingPathComponent("samples/silence.btsnoop"))
    let run = try CommandRun(["packets", "--link", "1", "-"], input: data)
    let last = run.output.split(separator: "\n").last { $0.contains("Disconnection Complete") }
    #expect(last?.contains("  <-   1  Disconnection Complete") == true, "\(run.output.suffix(300))")
  }

  @Test func aDashAsOutput() throws {
    let plain = try CommandRun(["records", "--format", "csv", Self.sample])
    let dash = try CommandRun(["records", "--format", "csv", "-o", "-", Self.sample])
    #expect(dash.status == 0 && dash.output == plain.output && !dash.output.isEmpty)
    let extract = try CommandRun(["extract", "--link", "1", "-o", "-", Self.sample])
    #expect(extract.status == 2 && extract.output.isEmpty)
    #expect(extract.complaint.contains("an extract is not written to stdout"))
  }

  @Test func anArchiveOnAStream() throws {
    let folder = try ScratchFolder()
    _ = try folder.copy("first-sync.btsnoop", as: "one.btsnoop")
    let made = try folder.shell("cd '\(folder.url.path)' && tar cf all.tar one.btsnoop")
    #expect(made.status == 0)
    let run = try CommandRun(["-"], input: folder.octets("all.tar"))
    #expect(run.status == 2)
    #expect(run.complaint.contains("Save it to a file and name that file"), "\(run.complaint)")
    #expect(try CommandRun(["show", "--help"]).output.contains("save an archive"))
  }

  @Test func noDocumentOfNothing() throws {
    let run = try CommandRun(["gatt", "--format", "json", "README.md"])
    #expect(run.status == 2)
    #expect(run.output.isEmpty)
    let other = try CommandRun(["gatt", "--format", "json", "README.md", Self.sample])
    #expect(other.status == 2)
    #expect(other.output.contains("racpscope/gatt/1"))
  }

  @Test func aShellThatIsNotKnown() throws {
    let run = try CommandRun(["completions", "fish"])
    #expect(run.complaint == "racpscope: 'fish' is not a SHELL. Use one of bash, zsh.\n")
  }
}

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

  @Test func firstOctetsAreEscapedOnce() throws {
    let folder = try ScratchFolder()
    try Data("{\"a\":1}".utf8).write(to: folder.url.appendingPathComponent("a.json"))
    let run = try CommandRun([folder.path("a.json")])
    #expect(run.complaint.contains("it starts with \"{\"a\":1}\" (text)."))
  }

  @Test func whatIsNotThereIsTold() throws {
    let link = try CommandRun(["packets", "--link", "9", Self.sample])
    #expect(link.status == 0 && link.output.isEmpty)
    #expect(link.complaint == "racpscope: \(Self.sample) has no link 9. Its only link is 1.\n")
    let frame = try CommandRun(["packets", "--frames", "90000-", Self.sample])
    #expect(frame.status == 0 && frame.output.isEmpty)
    #expect(frame.complaint.hasPrefix("racpscope: \(Self.sample) has no frame 90000. Its frames are 1 to "))
    let both = try CommandRun(["packets", "--frames", "1", "--link", "1", Self.sample])
    #expect(both.complaint.contains("has none of the frames asked for on link 1. The link is in frames "))
    let device = try CommandRun(["gatt", "--device", "nobody", Self.sample])
    #expect(device.status == 0 && device.output.isEmpty)
    #expect(device.complaint.hasPrefix("racpscope: no device matches \"nobody\". There "))
    #expect(device.complaint.split(separator: "\n").count == 1)
  }

  @Test func aStreamThatIsTooShortIsTold() throws {
    let data = try Data(contentsOf: CommandRun.root.appendingPathComponent(Self.sample))
    let run = try CommandRun(["packets", "--frames", "90000", "-"], input: data)
    #expect(run.status == 0)
    #expect(run.complaint.contains("has no frame 90000"))
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

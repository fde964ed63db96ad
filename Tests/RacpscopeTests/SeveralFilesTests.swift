import Testing

/// Several files at once give what each gives alone, in the order they are named.
@Suite struct SeveralFilesTests {
  /// Meters that have nothing in common: their files are worked on side by side.
  private static let strangers = [
    "silence.btsnoop", "insulin-pump.pcapng", "no-encryption.btsnoop", "no-result.btsnoop",
  ]

  @Test(arguments: ["csv", "jsonl"])
  func recordsOfStrangersFollowEachOther(format: String) throws {
    let arguments = ["records", "--utc", "--format", format]
    let together = try CommandRun(arguments + Self.strangers.map { "samples/" + $0 })
    #expect(together.status == 0)
    var rows: [Substring] = []
    for (index, name) in Self.strangers.enumerated() {
      let alone = try CommandRun(arguments + ["samples/" + name])
      #expect(alone.output.count > 0)
      rows += alone.output.split(separator: "\n").dropFirst(format == "csv" && index > 0 ? 1 : 0)
    }
    #expect(together.output.split(separator: "\n") == rows)
  }

  @Test func aMeterInTwoFilesIsOneMeter() throws {
    let file = "samples/silence.btsnoop"
    let alone = try CommandRun(["records", "--format", "csv", "--duplicates", "drop", file])
    let twice = try CommandRun(["records", "--format", "csv", "--duplicates", "drop", file, file])
    #expect(twice.output == alone.output)
  }

  @Test func tablesArePartedByOneEmptyLine() throws {
    let tables = try CommandRun(["records", "--utc"] + Self.strangers.map { "samples/" + $0 }).output
    #expect(!tables.hasPrefix("\n") && !tables.contains("\n\n\n"))
    #expect(tables.split(separator: "\n").filter { $0.hasPrefix("  frame   no.") }.count == Self.strangers.count)
  }

  @Test func packetsFollowEachOther() throws {
    var alone = ""
    for name in Self.strangers { alone += try CommandRun(["packets", "--utc", "samples/" + name]).output }
    #expect(try CommandRun(["packets", "--utc"] + Self.strangers.map { "samples/" + $0 }).output == alone)
  }

  @Test func anUnreadableFileStopsNoOther() throws {
    let file = "samples/silence.btsnoop"
    for command in [["records", "--format", "csv"], ["packets"], ["gatt"]] {
      let alone = try CommandRun(command + [file])
      let together = try CommandRun(command + ["/nonexistent", file])
      #expect(together.output == alone.output)
      #expect(together.status == 2)
      #expect(together.complaint.contains("/nonexistent"))
    }
  }
}

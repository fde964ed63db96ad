import CommandLineInterface
import Testing

@Suite struct ParsingTests {
  struct Case: Sendable {
    let line: String
    let subcommand: String
    let positionals: [String]
    init(_ line: String, _ subcommand: String, _ positionals: [String]) {
      self.line = line
      self.subcommand = subcommand
      self.positionals = positionals
    }
  }

  @Test(arguments: [
    Case("a.pcap", "show", ["a.pcap"]),
    Case("a.pcap records", "show", ["a.pcap", "records"]),
    Case("show a.pcap", "show", ["a.pcap"]),
    Case("-", "show", ["-"]),
    Case("records - b", "records", ["-", "b"]),
    Case("-v records.pcap", "show", ["records.pcap"]),
    Case("./recrods", "show", ["./recrods"]),
    Case("unlike-anything", "show", ["unlike-anything"]),
    Case("-- records", "show", ["records"]),
    Case("records -- -f --help", "records", ["-f", "--help"]),
    Case("--color never records a", "records", ["a"]),
    Case("--color=never records a", "records", ["a"]),
    Case("--limit 5 records a", "records", ["a"]),
    Case("-n5 records a", "records", ["a"]),
    Case("explain GLS001", "explain", ["GLS001"]),
    Case("compare a b", "compare", ["a", "b"]),
    Case("rules", "rules", []),
  ])
  func subcommandAndPositionals(_ expected: Case) throws {
    let parsed = try arguments(expected.line)
    #expect(parsed.subcommand == expected.subcommand)
    #expect(parsed.positionals == expected.positionals)
  }

  @Test(arguments: [
    "records --format json a", "records --format=json a", "records -f json a", "records -fjson a",
    "records -qfjson a", "records -qf json a", "records a -q --format json",
  ])
  func spellingsOfAValue(_ line: String) throws {
    let parsed = try arguments(line)
    #expect(parsed.value("--format") == "json")
    #expect(parsed.flag("--format"))
    #expect(parsed.flag("--quiet") == line.contains("q"))
    #expect(parsed.positionals == ["a"])
  }

  @Test func groupedFlagsMayRepeat() throws {
    let parsed = try arguments("records -qq -q a")
    #expect(parsed.flag("--quiet"))
    #expect(parsed.value("--quiet") == nil)
  }

  @Test func valuesMayBeginWithADashOrBeEmptyOrHoldEqualsSigns() throws {
    #expect(try arguments("records --frames -200 a").value("--frames") == "-200")
    #expect(try arguments("records --frames= a").value("--frames") == "")
    #expect(try arguments("records --device=a=b a").value("--device") == "a=b")
    #expect(try arguments("records --output - a").value("--output") == "-")
  }

  @Test func repeatedValuesKeepTheirOrder() throws {
    let parsed = try arguments("records -d one --device=two -dthree a")
    #expect(parsed.values("--device") == ["one", "two", "three"])
    #expect(parsed.value("--device") == "three")
  }

  @Test func defaultsStandInForWhatIsNotGiven() throws {
    let parsed = try arguments("records a")
    #expect(parsed.value("--format") == "text")
    #expect(parsed.values("--format") == ["text"])
    #expect(!parsed.flag("--format"))
    #expect(parsed.value("--limit") == nil)
    #expect(parsed.values("--device").isEmpty)
    #expect(parsed.value("--color") == "auto")
  }

  @Test func anExistingFileWinsOverANearMiss() throws {
    #expect(try arguments("recrods", files: ["recrods"]).positionals == ["recrods"])
    #expect(throws: UsageError.self) { try parse("recrods") }
  }

  @Test func anEmptyWordIsAPositional() throws {
    guard case .run(let parsed) = try sampleTool.parse([""], isFile: { _ in false }) else {
      Issue.record("an empty word did not run")
      return
    }
    #expect(parsed.positionals == [""])
  }

  @Test(arguments: [
    ("--help", String?.none), ("-h", nil), ("", nil), ("help", nil), ("help --help", nil), ("-vh a.pcap", nil),
    ("recrods --help", nil), ("records --help", "records"), ("records -qh", "records"), ("help records", "records"),
    ("--help records", "records"), ("records --nonsense --version -h", "records"), ("show -h", "show"),
  ])
  func helpIsAskedFor(_ line: String, _ subcommand: String?) throws {
    #expect(try parse(line) == .help(sampleTool.help(for: subcommand)))
  }

  @Test(arguments: ["--version", "-V", "records --version", "--version --nonsense"])
  func versionIsAskedFor(_ line: String) throws {
    #expect(try parse(line) == .version("racpscope 1.2.3"))
  }

  @Test func helpAfterTheEndOfOptionsOrAsAValueIsNotHelp() throws {
    #expect(try arguments("-- --help").positionals == ["--help"])
    #expect(try arguments("records --output=--help a").value("--output") == "--help")
  }

  @Test func numbersAndRangesOfOptions() throws {
    let parsed = try arguments("records --limit 7 --frames 10- a")
    #expect(try parsed.number("--limit") == 7)
    #expect(try parsed.range("--frames") == 10...UInt32.max)
    let bare = try arguments("records a")
    #expect(try bare.number("--limit") == nil)
    #expect(try bare.range("--frames") == nil)
    let wrong = try arguments("records --limit -7 --frames x a")
    #expect(
      throws: UsageError("'-7' is not a value of '--limit'", hint: "write a whole number from 0 to 4294967295")
    ) { try wrong.number("--limit") }
    #expect(
      throws: UsageError("'x' is not a range for '--frames'", hint: "write a range as 10-200, 10-, -200 or 10")
    ) { try wrong.range("--frames") }
  }
}

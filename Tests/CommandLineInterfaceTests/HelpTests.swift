import CommandLineInterface
import Testing

@Suite struct HelpTests {
  @Test func aSubcommand() {
    #expect(
      sampleTool.help(for: "records") == """
        racpscope records: List the health records of a capture

        Examples:
          racpscope records meter.pcap  All records as a table
          racpscope records -f csv --frames 10-200 meter.pcap > out.csv
                                        Some as comma-separated values

        Usage:
          racpscope records [OPTIONS] FILE...

        Arguments:
          FILE  Captures; '-' is standard input

        Options:
          -f, --format FORMAT   How records are printed (one of: text, json, csv; default: text)
              --frames RANGE    Only these frames, such as 10-200, 10-, -200 or 10
          -n, --limit COUNT     Stop after so many records
          -d, --device ADDRESS  Only links with this device; an address is written in hexadecimal with
                                colons (may be repeated)
          -o, --output FILE     Write to a file [not standard output]
          -q, --quiet           Don't print the heading: only records

        Global options:
              --color WHEN  Use colors (one of: auto, always, never; default: auto)
          -h, --help        Show this help

        Exit codes: 0 when records were found, 1 when there were none, 2 when a file could not be read.

        """
    )
  }

  @Test func theTool() {
    #expect(
      sampleTool.help(for: nil) == """
        racpscope 1.2.3: Tell what happened on a Bluetooth health link

        Examples:
          racpscope first-sync.btsnoop                    Tell what happened in a capture
          btmon -w - | racpscope records --format json -  List records while they arrive

        Usage:
          racpscope [show] [OPTIONS] FILE...
          racpscope COMMAND [OPTIONS] ...

        Commands:
          show     Tell what happened in a capture (the default)
          records  List the health records of a capture
          explain  Explain a finding
          compare  Compare two captures
          rules    List every rule
          help     Show the help of a command

        Global options:
              --color WHEN  Use colors (one of: auto, always, never; default: auto)
          -h, --help        Show this help
          -V, --version     Show the version

        See 'racpscope help COMMAND' for the options of a command.

        """
    )
  }

  @Test func choicesOfArgumentsAreListed() {
    #expect(sampleTool.help(for: "explain").contains("  RULE  The code of a finding (one of: GLS001, GLS002)\n"))
  }

  @Test func anUnknownSubcommandGetsTheHelpOfTheTool() {
    #expect(sampleTool.help(for: "recrods") == sampleTool.help(for: nil))
  }

  @Test func noLineIsLongerThanAHundredCharacters() {
    let lines = ([nil] + ["show", "records", "explain", "compare", "rules"]).flatMap {
      sampleTool.help(for: $0).split(separator: "\n")
    }
    #expect(lines.allSatisfy { $0.count <= 100 })
  }

  @Test(arguments: [
    (0, Int?.none, "[FILE...]"), (1, nil, "FILE..."), (2, nil, "FILE FILE..."), (0, 1, "[FILE]"), (1, 1, "FILE"),
    (1, 2, "FILE [FILE]"), (2, 2, "FILE FILE"),
  ])
  func usageNotation(_ minimum: Int, _ maximum: Int?, _ notation: String) {
    let positional = Positional("FILE", minimum: minimum, maximum: maximum, summary: "Files")
    let tool = CommandLineTool(
      "tool",
      version: "1",
      summary: "A tool",
      subcommands: [Subcommand("show", summary: "Show", positional: positional)],
      defaultSubcommand: "show"
    )
    #expect(tool.help(for: "show").contains("\n  tool [show] [OPTIONS] \(notation)\n"))
  }
}

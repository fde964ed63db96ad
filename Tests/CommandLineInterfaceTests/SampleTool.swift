import CommandLineInterface

/// A tool of realistic size: a default subcommand over files, choices, ranges, repeated options, global options.
let sampleTool = CommandLineTool(
  "racpscope",
  version: "1.2.3",
  summary: "Tell what happened on a Bluetooth health link",
  examples: [
    Example("racpscope first-sync.btsnoop", "Tell what happened in a capture"),
    Example("btmon -w - | racpscope records --format json -", "List records while they arrive"),
  ],
  subcommands: [
    Subcommand(
      "show",
      summary: "Tell what happened in a capture",
      positional: Positional("FILE", maximum: nil, summary: "Captures; '-' is standard input"),
      options: [Option("--verbose", short: "-v", summary: "Tell every frame")]
    ),
    Subcommand(
      "records",
      summary: "List the health records of a capture",
      examples: [
        Example("racpscope records meter.pcap", "All records as a table"),
        Example("racpscope records -f csv --frames 10-200 meter.pcap > out.csv", "Some as comma-separated values"),
      ],
      positional: Positional("FILE", maximum: nil, summary: "Captures; '-' is standard input"),
      options: [
        Option(
          "--format",
          short: "-f",
          value: .choice("FORMAT", ["text", "json", "csv"]),
          defaultValue: "text",
          summary: "How records are printed"
        ),
        Option("--frames", value: .value("RANGE"), summary: "Only these frames, such as 10-200, 10-, -200 or 10"),
        Option("--limit", short: "-n", value: .value("COUNT"), summary: "Stop after so many records"),
        Option(
          "--device",
          short: "-d",
          value: .value("ADDRESS"),
          repeated: true,
          summary: "Only links with this device; an address is written in hexadecimal with colons"
        ),
        Option("--output", short: "-o", value: .file("FILE"), summary: "Write to a file [not standard output]"),
        Option("--quiet", short: "-q", summary: "Don't print the heading: only records"),
      ],
      details: ["Exit codes: 0 when records were found, 1 when there were none, 2 when a file could not be read."]
    ),
    Subcommand(
      "explain",
      summary: "Explain a finding",
      positional: Positional("RULE", kind: .choice(["GLS001", "GLS002"]), summary: "The code of a finding")
    ),
    Subcommand(
      "compare",
      summary: "Compare two captures",
      positional: Positional("FILE", minimum: 2, maximum: 2, summary: "The captures")
    ),
    Subcommand("rules", summary: "List every rule"),
  ],
  defaultSubcommand: "show",
  options: [
    Option("--color", value: .choice("WHEN", ["auto", "always", "never"]), defaultValue: "auto", summary: "Use colors")
  ]
)

/// Parses words cut at spaces; no file exists but those named.
func parse(_ line: String, files: Set<String> = []) throws(UsageError) -> Invocation {
  try sampleTool.parse(line.split(separator: " ").map(String.init), isFile: files.contains)
}

/// The arguments of a command line that runs; an error of the test otherwise.
func arguments(_ line: String, files: Set<String> = []) throws -> ParsedArguments {
  guard case .run(let arguments) = try parse(line, files: files) else { throw DoesNotRun(line: line) }
  return arguments
}

struct DoesNotRun: Error {
  let line: String
}

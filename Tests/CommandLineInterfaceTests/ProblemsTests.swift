import CommandLineInterface
import Testing

@Suite struct ProblemsTests {
  @Test func theSampleToolIsSound() {
    #expect(sampleTool.problems() == [])
  }

  private func tool(
    _ subcommands: [Subcommand] = [Subcommand("show", summary: "Show")],
    default defaultSubcommand: String = "show",
    summary: String = "A tool",
    version: String = "1",
    examples: [Example] = [],
    options: [Option] = []
  ) -> CommandLineTool {
    CommandLineTool(
      "tool",
      version: version,
      summary: summary,
      examples: examples,
      subcommands: subcommands,
      defaultSubcommand: defaultSubcommand,
      options: options
    )
  }

  private func problems(_ option: Option) -> [String] { tool(options: [option]).problems() }

  private func problems(_ positional: Positional) -> [String] {
    tool([Subcommand("show", summary: "Show", positional: positional)]).problems()
  }

  @Test func toolAndSubcommands() {
    #expect(tool().problems() == [])
    #expect(tool(default: "run").problems() == ["the default subcommand 'run' is not declared"])
    #expect(tool(summary: "").problems() == ["'tool' has an empty summary"])
    #expect(tool(summary: "A tool.").problems() == ["the summary of 'tool' ends in a full stop"])
    #expect(tool(version: "").problems() == ["the version is empty"])
    let twice = [Subcommand("show", summary: "Show"), Subcommand("show", summary: "Show")]
    #expect(tool(twice).problems() == ["the subcommand 'show' is declared twice"])
    let reserved = [Subcommand("help", summary: "Help")]
    #expect(tool(reserved, default: "help").problems() == ["the subcommand name 'help' is reserved"])
    #expect(tool([Subcommand("a b", summary: "Two words")], default: "a b").problems().count == 1)
  }

  @Test func optionsOfOneSubcommand() {
    #expect(problems(Option("--all", short: "-a", summary: "All")) == [])
    #expect(problems(Option("--all", summary: "")) == ["'--all' of 'tool' has an empty summary"])
    #expect(problems(Option("--all", summary: "All.")) == ["the summary of '--all' of 'tool' ends in a full stop"])
    #expect(problems(Option("all", summary: "All")).count == 1)
    #expect(problems(Option("--", summary: "All")).count == 1)
    #expect(problems(Option("--all", short: "-ab", summary: "All")).count == 1)
    #expect(problems(Option("--all", short: "-1", summary: "All")).count == 1)
    #expect(problems(Option("--all", value: .value(""), summary: "All")).count == 1)
    #expect(
      problems(Option("--all", value: .choice("X", []), summary: "All"))
        == ["'--all' of 'tool' is a choice without values"]
    )
    #expect(
      problems(Option("--all", value: .choice("X", ["a", "a"]), summary: "All"))
        == ["'--all' of 'tool' offers 'a' twice"]
    )
    #expect(problems(Option("--all", value: .choice("X", ["a b"]), summary: "All")).count == 1)
    #expect(
      problems(Option("--all", value: .choice("X", ["a"]), defaultValue: "b", summary: "All"))
        == ["the default 'b' of '--all' of 'tool' is not one of its choices"]
    )
    #expect(problems(Option("--all", defaultValue: "b", summary: "All")).count == 1)
    #expect(problems(Option("--all", repeated: true, summary: "All")).count == 1)
    #expect(problems(Option("--help", summary: "Mine")) == ["the option '--help' of 'show' is declared twice"])
    #expect(problems(Option("--host", short: "-h", summary: "Mine")) == ["the option '-h' of 'show' is declared twice"])
  }

  @Test func aSpellingTakesAValueEverywhereOrNowhere() {
    let declared = tool([
      Subcommand("show", summary: "Show", options: [Option("--all", summary: "All")]),
      Subcommand("list", summary: "List", options: [Option("--all", value: .value("X"), summary: "All")]),
    ])
    #expect(declared.problems() == ["the option '--all' takes a value in one subcommand and none in another"])
  }

  @Test func positionals() {
    #expect(problems(Positional("FILE", summary: "Files")) == [])
    #expect(problems(Positional("", summary: "Files")).count == 1)
    #expect(problems(Positional("FILE", summary: "")).count == 1)
    #expect(problems(Positional("FILE", minimum: -1, summary: "Files")).count == 1)
    #expect(problems(Positional("FILE", minimum: 2, maximum: 1, summary: "Files")).count == 1)
    #expect(problems(Positional("RULE", kind: .choice([]), summary: "Rules")).count == 1)
  }

  @Test func examplesMustRun() {
    #expect(tool(examples: [Example("cat x | tool show > y", "Show")]).problems() == [])
    #expect(tool(examples: [Example("toll show", "Show")]).problems().count == 1)
    #expect(tool(examples: [Example("tool show", "Show.")]).problems().count == 1)
    #expect(
      tool(examples: [Example("tool show --al", "Show")]).problems()
        == ["the example 'tool show --al' does not parse: unknown option '--al'"]
    )
    let elsewhere = tool([
      Subcommand("show", summary: "Show"),
      Subcommand("list", summary: "List", examples: [Example("tool show", "List")]),
    ])
    #expect(elsewhere.problems() == ["the example 'tool show' does not run 'list'"])
  }
}

import CommandLineInterface
import Reporting

/// `racpscope rules`: every rule that `lint` judges by.
enum RulesCommand {
  static let declaration = Subcommand(
    "rules",
    summary: "list the rules that lint judges by",
    examples: [
      Example("racpscope rules", "a line for each rule"),
      Example("racpscope rules --format json", "the same for scripts, with reason and remedy"),
    ],
    options: [
      SharedOptions.format(["text", "json"], "how to write them")
    ]
  )

  static func run(_ arguments: ParsedArguments) -> ExitStatus {
    var output = OutputBuffer(descriptor: 1)
    if arguments.value("--format") == "json" {
      RuleTable.writeJSON(to: &output)
    } else {
      RuleTable.writeText(on: Terminal.behind(descriptor: 1), to: &output)
    }
    return Destination.standardOutput.end(output)
  }
}

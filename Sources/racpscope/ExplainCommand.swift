import CommandLineInterface
import Reporting

/// `racpscope explain`: the page of a rule.
enum ExplainCommand {
  static let declaration = Subcommand(
    "explain",
    summary: "explain a rule: what it reports, why it matters, an example of each kind",
    examples: [
      Example("racpscope explain RACP-001", "what the finding means and what to change"),
      Example("racpscope explain SEC", "every rule about security"),
    ],
    positional: Positional(
      "RULE",
      maximum: nil,
      kind: .text,
      summary: "identifiers, areas or names, as 'racpscope rules' lists them"
    )
  )

  static func run(_ arguments: ParsedArguments) throws(UsageError) -> ExitStatus {
    var output = OutputBuffer(descriptor: 1)
    let terminal = Terminal.behind(descriptor: 1)
    var pages = OutputBuffer()
    for (index, word) in arguments.positionals.enumerated() {
      if index > 0 { pages.append("\n\n") }
      guard RulePageText.write(word, on: terminal, to: &pages) else { throw UnknownRule.error(word) }
    }
    output.append(pages.octets)
    return Destination.standardOutput.end(output)
  }
}

import CommandLineInterface
import Reporting

/// `racpscope completions`: the shell's completion script, made from the same declarations as the help.
enum CompletionsCommand {
  static let declaration = Subcommand(
    "completions",
    summary: "print the completion script of a shell",
    examples: [
      Example("racpscope completions bash > /etc/bash_completion.d/racpscope", "install it for bash")
    ],
    positional: Positional("SHELL", kind: .choice(["bash", "zsh"]), summary: "the shell")
  )

  static func run(_ arguments: ParsedArguments, _ tool: CommandLineTool) throws(UsageError) -> ExitStatus {
    guard let name = arguments.positionals.first, let shell = Shell(rawValue: name) else {
      throw UsageError("no such shell", hint: "one of bash, zsh")
    }
    var output = OutputBuffer(descriptor: 1)
    output.append(tool.completions(for: shell))
    return Destination.standardOutput.end(output)
  }
}

/// What a command line asks for.
public enum Invocation: Sendable, Equatable {
  /// Run a subcommand.
  case run(ParsedArguments)
  /// Print this help text.
  case help(String)
  /// Print this version line.
  case version(String)
}

/// One subcommand of a tool.
public struct Subcommand: Sendable, Equatable {
  /// The word typed after the tool's name.
  public let name: String
  /// One phrase for the help, without a full stop.
  public let summary: String
  /// Command lines the help leads with.
  public let examples: [Example]
  /// The words that are not options; nil when there are none.
  public let positional: Positional?
  /// The options of this subcommand alone.
  public let options: [Option]
  /// Paragraphs at the end of the help, such as the exit codes.
  public let details: [String]

  public init(
    _ name: String,
    summary: String,
    examples: [Example] = [],
    positional: Positional? = nil,
    options: [Option] = [],
    details: [String] = []
  ) {
    self.name = name
    self.summary = summary
    self.examples = examples
    self.positional = positional
    self.options = options
    self.details = details
  }
}

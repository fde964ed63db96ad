/// The declaration of a command-line tool, from which parsing, help and shell completions are made.
public struct CommandLineTool: Sendable, Equatable {
  /// The name of the executable.
  public let name: String
  /// The version `--version` prints.
  public let version: String
  /// One phrase for the help, without a full stop.
  public let summary: String
  /// Command lines the top-level help leads with.
  public let examples: [Example]
  /// The subcommands in the order help lists them.
  public let subcommands: [Subcommand]
  /// The subcommand meant when the first word is none of them.
  public let defaultSubcommand: String
  /// Options every subcommand accepts.
  public let options: [Option]
  /// Paragraphs at the end of the top-level help.
  public let details: [String]

  public init(
    _ name: String,
    version: String,
    summary: String,
    examples: [Example] = [],
    subcommands: [Subcommand],
    defaultSubcommand: String,
    options: [Option] = [],
    details: [String] = []
  ) {
    self.name = name
    self.version = version
    self.summary = summary
    self.examples = examples
    self.subcommands = subcommands
    self.defaultSubcommand = defaultSubcommand
    self.options = options
    self.details = details
  }

  /// The word that asks for help and so cannot name a subcommand.
  static let helpWord = "help"

  /// Options accepted with every subcommand, those of the tool and the built-in ones.
  var sharedOptions: [Option] { options + [.help, .version] }

  /// Every option declared anywhere; one spelling may occur in several subcommands.
  var everyOption: [Option] { sharedOptions + subcommands.flatMap(\.options) }

  func subcommand(named name: String) -> Subcommand? {
    subcommands.first { $0.name == name }
  }

  func acceptedOptions(of subcommand: Subcommand) -> [Option] {
    subcommand.options + sharedOptions
  }
}

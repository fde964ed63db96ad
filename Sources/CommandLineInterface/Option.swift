/// One option of a tool or subcommand: the parser, the help and the shell completions all read this declaration.
public struct Option: Sendable, Equatable {
  /// What follows the option on the command line.
  public enum Value: Sendable, Equatable {
    /// A flag: nothing follows.
    case none
    /// Any text.
    case value(_ placeholder: String)
    /// One of a closed list of words.
    case choice(_ placeholder: String, [String])
    /// The path of a file.
    case file(_ placeholder: String)
  }

  /// Long spelling with its dashes, such as `--format`.
  public let name: String
  /// Short spelling with its dash, such as `-f`.
  public let short: String?
  /// What follows the option.
  public let value: Value
  /// The value `ParsedArguments.value(_:)` answers when the option is not given; help shows it.
  public let defaultValue: String?
  /// Whether the option may be given more than once, each time adding a value.
  public let repeated: Bool
  /// One phrase for the help, without a full stop.
  public let summary: String

  public init(
    _ name: String,
    short: String? = nil,
    value: Value = .none,
    defaultValue: String? = nil,
    repeated: Bool = false,
    summary: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.defaultValue = defaultValue
    self.repeated = repeated
    self.summary = summary
  }

  /// `-h`, `--help`: part of every tool, never declared by it.
  static let help = Option("--help", short: "-h", summary: "Show this help")
  /// `-V`, `--version`: part of every tool, never declared by it.
  static let version = Option("--version", short: "-V", summary: "Show the version")

  /// The short and the long spelling, as they are typed.
  var spellings: [String] { short.map { [$0, name] } ?? [name] }

  /// The word help shows for the value; nil for a flag.
  var placeholder: String? {
    switch value {
    case .none: nil
    case .value(let placeholder), .choice(let placeholder, _), .file(let placeholder): placeholder
    }
  }

  var takesValue: Bool { value != .none }

  var choices: [String]? {
    if case .choice(_, let choices) = value { choices } else { nil }
  }
}

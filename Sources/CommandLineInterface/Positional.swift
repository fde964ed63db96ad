/// The words of a subcommand that are not options.
public struct Positional: Sendable, Equatable {
  /// What kind of words they are.
  public enum Kind: Sendable, Equatable {
    /// Paths of files; the shell completes them.
    case file
    /// Words of a closed list, checked by the parser.
    case choice([String])
    /// Any text.
    case text
  }

  /// The word help shows, such as `FILE`.
  public let placeholder: String
  /// The fewest words accepted.
  public let minimum: Int
  /// The most words accepted; nil for no limit.
  public let maximum: Int?
  /// What kind of words they are.
  public let kind: Kind
  /// One phrase for the help, without a full stop.
  public let summary: String

  public init(_ placeholder: String, minimum: Int = 1, maximum: Int? = 1, kind: Kind = .file, summary: String) {
    self.placeholder = placeholder
    self.minimum = minimum
    self.maximum = maximum
    self.kind = kind
    self.summary = summary
  }

  var choices: [String]? {
    if case .choice(let choices) = kind { choices } else { nil }
  }

  /// The usage notation: `FILE`, `[FILE]`, `FILE...`, `[FILE...]`, `FILE FILE`, `FILE [FILE]`.
  var usage: String {
    var words = Array(repeating: placeholder, count: max(minimum, 0))
    guard let maximum else {
      if words.isEmpty { return "[\(placeholder)...]" }
      words[words.count - 1] += "..."
      return words.joined(separator: " ")
    }
    words += Array(repeating: "[\(placeholder)]", count: max(maximum - words.count, 0))
    return words.joined(separator: " ")
  }
}

/// What a piece of text is to its reader.
public enum TextRole: Sendable {
  case plain, heading, good, bad, warning, dim

  /// The SGR parameters of ECMA-48 that show it; nil for plain text.
  var parameters: String? {
    switch self {
    case .plain: nil
    case .heading: "1"
    case .good: "32"
    case .bad: "1;31"
    case .warning: "33"
    case .dim: "2"
    }
  }
}

extension OutputBuffer {
  /// Text in its role; without colour just the text.
  public mutating func append(_ text: String, as role: TextRole, on terminal: Terminal) {
    begin(role, on: terminal)
    append(text)
    end(role, on: terminal)
  }

  /// Starts a role; `end` must follow on the same line.
  public mutating func begin(_ role: TextRole, on terminal: Terminal) {
    guard terminal.hasColour, let parameters = role.parameters else { return }
    append("\u{1B}[")
    append(parameters)
    append("m")
  }

  /// Ends a role.
  public mutating func end(_ role: TextRole, on terminal: Terminal) {
    if terminal.hasColour && role.parameters != nil { append("\u{1B}[0m") }
  }
}

/// Text from outside, made safe inside of Markdown.
enum MarkdownEscaping {
  /// Escapes what Markdown or HTML would read as markup; hidden characters are shown.
  static func text(_ text: String) -> String {
    var escaped = ""
    for character in TextEscaping.terminal(text) {
      switch character {
      case "\\", "`", "*", "_", "[", "]", "<", ">", "|", "#", "~": escaped += "\\\(character)"
      case "&": escaped += "&amp;"
      // A mention of a person is no part of a report.
      case "@": escaped += "&#64;"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}

import ProtocolLint

/// The page of a rule for a terminal: the Markdown of `RulePage` with its marks taken off.
public enum RulePageText {
  /// Appends the pages of the rules a word names; false where it names none.
  public static func write(_ word: String, on terminal: Terminal, to output: inout OutputBuffer) -> Bool {
    guard let pattern = RulePattern(word) else { return false }
    var isFirst = true
    for rule in RuleRegistry.rules where pattern.matches(rule.description) {
      if !isFirst { output.append("\n\n") }
      isFirst = false
      write(markdown: RulePage.markdown(rule), on: terminal, to: &output)
    }
    return true
  }

  static func write(markdown: String, on terminal: Terminal, to output: inout OutputBuffer) {
    var isBlock = false
    let lines = markdown.split(separator: "\n", omittingEmptySubsequences: false)
    for line in lines.dropLast(lines.last?.isEmpty == true ? 1 : 0) {
      if line.hasPrefix("```") {
        isBlock.toggle()
      } else if isBlock {
        output.append("  " + line)
        output.newline()
      } else if line.hasPrefix("#") {
        output.append(String(line.drop { $0 == "#" }.dropFirst()), as: .heading, on: terminal)
        output.newline()
      } else {
        let isItem = line.hasPrefix("- ")
        let parts = StoryParagraph.lines(String(line), width: max(40, min(terminal.width, 100)))
        for (index, part) in parts.enumerated() {
          output.append((isItem && index > 0 ? "  " : "") + part)
          output.newline()
        }
      }
    }
  }
}

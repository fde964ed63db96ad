/// Breaks a fact into lines that fit the terminal, at the three blanks between its parts where that is possible.
enum StoryParagraph {
  /// The lines of `text` when each may take `width` columns; no line where the text is empty.
  static func lines(_ text: String, width: Int) -> [String] {
    guard TextColumns.count(text) > width else { return [text] }
    var lines: [String] = []
    var current = ""
    for part in parts(text) {
      let candidate = current.isEmpty ? part : current + "   " + part
      if TextColumns.count(candidate) <= width {
        current = candidate
        continue
      }
      if !current.isEmpty { lines.append(current) }
      let broken = words(part, width: width)
      lines += broken.dropLast()
      current = broken.last ?? ""
    }
    if !current.isEmpty { lines.append(current) }
    return lines
  }

  private static func parts(_ text: String) -> [String] {
    var parts: [String] = []
    var current = ""
    var blanks = 0
    for character in text {
      if character == " " {
        blanks += 1
        continue
      }
      if blanks >= 3 && !current.isEmpty {
        parts.append(current)
        current = ""
      } else if blanks > 0 {
        current += String(repeating: " ", count: blanks)
      }
      blanks = 0
      current.append(character)
    }
    if !current.isEmpty { parts.append(current) }
    return parts
  }

  private static func words(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var current = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let candidate = current.isEmpty ? String(word) : current + " " + word
      if TextColumns.count(candidate) <= width || current.isEmpty {
        current = candidate
      } else {
        lines.append(current)
        current = String(word)
      }
    }
    if !current.isEmpty { lines.append(current) }
    return lines
  }
}

/// Plain text in columns, at most `width` characters wide unless a single word is longer.
struct TextLayout {
  static let width = 100
  /// Labels longer than this do not push the second column further right.
  static let widestLabel = 34

  private(set) var text = ""

  mutating func paragraph(_ paragraph: String) {
    separate()
    for line in Self.wrap(paragraph, to: Self.width) { text += line + "\n" }
  }

  mutating func section(_ title: String, lines: [String]) {
    separate()
    text += title + ":\n"
    for line in lines { text += "  \(line)\n" }
  }

  /// Two aligned columns; a label too long for its column stands on a line of its own.
  mutating func section(_ title: String, rows: [(label: String, meaning: String)], widestLabel: Int = widestLabel) {
    guard !rows.isEmpty else { return }
    let column = rows.map(\.label.count).filter { $0 <= widestLabel }.max() ?? 8
    let lines = rows.flatMap { row in
      let meaning = Self.wrap(row.meaning, to: Self.width - column - 4)
      let indent = String(repeating: " ", count: column + 2)
      guard row.label.count <= column else { return [row.label] + meaning.map { indent + $0 } }
      let padding = String(repeating: " ", count: column - row.label.count + 2)
      return [row.label + padding + (meaning.first ?? "")] + meaning.dropFirst().map { indent + $0 }
    }
    section(title, lines: lines)
  }

  private mutating func separate() {
    if !text.isEmpty { text += "\n" }
  }

  static func wrap(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let line = lines.last, line.count + 1 + word.count <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}

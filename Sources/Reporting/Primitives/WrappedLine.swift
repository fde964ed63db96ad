/// A line of pieces in columns that goes on in a new line where a piece does not fit; it has no blanks at its end.
struct WrappedLine {
  private struct Piece {
    var text: String
    var gap: Int
    var columns: Int
    var role: TextRole
  }

  private let limit: Int?
  private let indent: Int
  private var pieces: [Piece] = []

  /// - Parameters:
  ///   - limit: columns of a line; nil for one line, however long.
  ///   - indent: blanks before what goes on.
  init(_ limit: Int?, indent: Int) {
    self.limit = limit
    self.indent = indent
  }

  /// Appends a piece `gap` blanks behind the one before; text that is longer than its column is not cut.
  mutating func append(_ text: String, gap: Int = 0, columns: Int = 0, as role: TextRole = .plain) {
    pieces.append(Piece(text: text, gap: gap, columns: columns, role: role))
  }

  func write(to output: inout OutputBuffer, on terminal: Terminal) {
    var used = 0
    var blanks = 0
    var isAtStart = true
    for piece in pieces {
      let width = TextColumns.count(piece.text)
      // A column that is full still parts from the next one.
      let gap = blanks + piece.gap == 0 && !isAtStart && piece.columns > 0 ? 1 : blanks + piece.gap
      guard width > 0 else {
        blanks = gap + piece.columns
        continue
      }
      var lines = [piece.text]
      if let limit, !isAtStart, used + gap + width > limit {
        output.newline()
        used = 0
        blanks = indent
        lines = StoryParagraph.lines(piece.text.trimmedBlanks, width: max(20, limit - indent))
      } else {
        blanks = gap
      }
      for (index, line) in lines.enumerated() {
        if index > 0 {
          output.newline()
          used = 0
          blanks = indent
        }
        output.append(repeating: 0x20, count: blanks)
        output.append(line, as: piece.role, on: terminal)
        used += blanks + TextColumns.count(line)
      }
      blanks = max(0, piece.columns - TextColumns.count(lines.last ?? ""))
      isAtStart = false
    }
    output.newline()
  }
}

extension String {
  /// Without the blanks it begins with.
  fileprivate var trimmedBlanks: String { String(drop { $0 == " " }) }
}

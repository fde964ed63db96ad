/// Rows of text in columns as wide as their widest cell.
struct ColumnTable {
  private let alignments: [ColumnAlignment]
  private var rows: [[String]]

  /// Titles of the columns and where their cells stand.
  init(_ columns: [(title: String, alignment: ColumnAlignment)]) {
    alignments = columns.map(\.alignment)
    rows = [columns.map(\.title)]
  }

  /// Adds a row; cells must be safe for a terminal.
  mutating func append(_ cells: [String]) { rows.append(cells) }

  /// Writes everything; columns without any text but their title are left out.
  func write(on terminal: Terminal, to output: inout OutputBuffer) {
    let shown = alignments.indices.filter { column in rows.dropFirst().contains { !$0[column].isEmpty } }
    let widths = alignments.indices.map { column in rows.map { TextColumns.count($0[column]) }.max() ?? 0 }
    for (index, row) in rows.enumerated() {
      if index == 0 { output.begin(.dim, on: terminal) }
      for column in shown {
        if column != shown.first { output.append("  ") }
        let isLast = column == shown.last && alignments[column] == .left
        if isLast {
          output.append(row[column])
        } else {
          output.append(row[column], columns: widths[column], alignment: alignments[column])
        }
      }
      if index == 0 { output.end(.dim, on: terminal) }
      output.newline()
    }
  }
}

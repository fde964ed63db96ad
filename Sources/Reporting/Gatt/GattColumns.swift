/// The columns of an attribute table: the usual ones, on a narrower terminal as wide as what stands in them.
struct GattColumns {
  /// Columns of a line; nil where nobody wraps it.
  var limit: Int?
  /// Blanks between the handle and the title: as many as the end of a service's range takes.
  var gap = 9
  var title = 42
  var properties = 28

  init(titles: [String], properties: [String], on terminal: Terminal) {
    guard terminal.isTerminal else { return }
    limit = terminal.width
    let rest = 8 + 1 + 5 + 1 + 10
    if rest + gap + title + self.properties <= terminal.width { return }
    title = min(title, titles.map { TextColumns.count($0) }.max() ?? 0)
    self.properties = min(self.properties, (properties.map { TextColumns.count($0) }.max() ?? 0) + 1)
    if rest + gap + title + self.properties > terminal.width { gap = 2 }
  }
}

import FetchComparison
import LinkTrace
import RecordStore

/// A side as the report speaks of it: its letter, its captures, and what the lint found on its links.
struct ComparisonParty: Sendable {
  /// `A` or `B`.
  let letter: String
  let title: String
  let captures: [CaptureFacts]
  let findings: SideFindings
  /// The syncs that filled a store.
  let runs: [StoredRun]
  let unreadableRows: Int

  init(_ letter: String, _ side: ComparisonSide) {
    self.letter = letter
    title = side.title
    captures = side.captures
    findings = side.findings
    runs = side.runs
    unreadableRows = side.unreadableRows
  }

  var isStore: Bool { captures.isEmpty }

  /// The title without its folders, for a sentence.
  var shortTitle: String {
    if isStore || captures.count > 1 { return TextEscaping.terminal(title) }
    return TextEscaping.terminal(title.split(separator: "/").last.map(String.init) ?? title)
  }

  /// `#216`, with the file behind it where there are several.
  func frame(_ frame: UInt32, _ link: FetchedLink) -> String {
    guard captures.count > 1, captures.indices.contains(link.capture) else { return "#\(frame)" }
    let name = captures[link.capture].name.split(separator: "/").last.map(String.init) ?? ""
    return "#\(frame) of \(TextEscaping.terminal(name))"
  }
}

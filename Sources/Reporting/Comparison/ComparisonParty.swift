import FetchComparison
import LinkTrace
import ProtocolLint

/// A side as the report speaks of it: its letter, its captures, and what the lint found on its links.
struct ComparisonParty: Sendable {
  /// `A` or `B`.
  let letter: String
  let title: String
  let captures: [CaptureFacts]
  let findings: [[Finding]]
  let unreadableRows: Int

  init(_ letter: String, _ side: ComparisonSide) {
    self.letter = letter
    title = side.title
    captures = side.captures
    findings = side.findings
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

  /// What the lint found about a procedure, or about the link itself; the gravest first.
  func findings(link: Int, procedure: Int?, frame: UInt32) -> [Finding] {
    guard findings.indices.contains(link) else { return [] }
    let near = findings[link].filter { finding in
      if let procedure, finding.procedure == procedure || finding.otherProcedures.contains(procedure) { return true }
      return finding.frames.contains(frame) || (procedure == nil && finding.procedure == nil)
    }
    return near.enumerated().sorted { left, right in
      left.element.level == right.element.level
        ? left.offset < right.offset : left.element.level > right.element.level
    }.map(\.element)
  }

  /// Errors, warnings and notes on some links.
  func counts(_ links: [Int]) -> LintCounts {
    var counts = LintCounts()
    for link in links where findings.indices.contains(link) {
      for finding in findings[link] {
        switch finding.level {
        case .error: counts.errors += 1
        case .warning: counts.warnings += 1
        case .note: counts.notes += 1
        }
      }
    }
    return counts
  }
}

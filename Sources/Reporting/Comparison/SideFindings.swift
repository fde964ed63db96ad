import FetchComparison
import LinkTrace
import ProtocolLint

/// What `racpscope lint` says of the captures of a side, put to the links that are compared.
struct SideFindings: Sendable {
  /// The gravest link and finding of each capture first.
  private var entries: [Entry] = []
  /// The findings of each link, as indices: its own, and those of other links that speak of it.
  private var own: [[Int]]
  private var others: [[Int]]

  /// A finding and where it stands.
  struct Entry: Sendable {
    var finding: Finding
    /// Index into the links of the side.
    var link: Int
  }

  /// A link as the lint knows it.
  private struct Place: Hashable {
    var capture: Int
    var number: UInt32
  }

  /// - Parameters:
  ///   - captures: each as it was judged by itself; devices that stand in several are judged over all of them.
  ///   - links: the links of the side; those the lint knows and the comparison does not are left out.
  init(_ captures: [LintCapture], _ options: LintOptions, links: [FetchedLink]) {
    own = Array(repeating: [], count: links.count)
    others = own
    var judged = captures
    if judged.count > 1 { LintCapture.join(&judged, options) }
    var places: [Place: Int] = [:]
    for (index, link) in links.enumerated() {
      places[Place(capture: link.capture, number: link.summary.number)] = index
    }
    for (capture, entry) in judged.enumerated() {
      for (_, link, found) in entry.findings {
        guard let home = places[Place(capture: capture, number: link.number)] else { continue }
        own[home].append(entries.count)
        for reference in found.finding.otherLinks {
          // A device that stands in one capture alone is judged as if that were the only file.
          let file = Int(found.finding.file) == capture ? Int(reference.file) : capture
          guard let other = places[Place(capture: file, number: reference.link)] else { continue }
          others[other].append(entries.count)
        }
        entries.append(Entry(finding: found.finding, link: home))
      }
    }
  }

  /// The findings of a link itself.
  func all(ofLink link: Int) -> [Finding] {
    own.indices.contains(link) ? own[link].map { entries[$0].finding } : []
  }

  /// What is said of a step: of a procedure from its request to its end, or of the link where it is in none; the
  /// gravest first.
  ///
  /// - Parameter links: those of the side.
  func near(link: Int, procedure: Int?, frame: UInt32, links: [FetchedLink]) -> [Entry] {
    guard own.indices.contains(link) else { return [] }
    var frames = frame...frame
    if let procedure {
      let summary = links[link].summary
      let entry = summary.procedures[procedure]
      frames = entry.requestFrame...max(entry.requestFrame, FetchSteps.end(entry, summary))
    }
    let mine = own[link].filter { index in
      let finding = entries[index].finding
      if let procedure, finding.procedure == procedure || finding.otherProcedures.contains(procedure) { return true }
      return finding.frames.contains(frame) || (procedure == nil && finding.procedure == nil)
    }
    // The frames of a finding are all of its own capture.
    let further = others[link].filter { index in
      links[entries[index].link].capture != links[link].capture
        || entries[index].finding.frames.contains(where: frames.contains)
    }
    return (mine + further).map { entries[$0] }.enumerated().sorted { left, right in
      left.element.finding.level == right.element.finding.level
        ? left.offset < right.offset : left.element.finding.level > right.element.finding.level
    }.map(\.element)
  }

  /// Errors, warnings and notes on some links.
  func counts(_ links: [Int]) -> LintCounts {
    var counts = LintCounts()
    for link in links {
      for finding in all(ofLink: link) {
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

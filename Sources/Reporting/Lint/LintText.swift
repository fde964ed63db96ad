import ProtocolLint

/// Writes a judgement for a terminal: by device and link, the worst first.
struct LintText {
  private let terminal: Terminal
  private var times: TimeText

  init(_ terminal: Terminal, _ zone: TimeText.Zone) {
    self.terminal = terminal
    times = TimeText(zone)
  }

  mutating func write(_ run: LintRun, to output: inout OutputBuffer) {
    for (index, capture) in run.captures.enumerated() {
      if index > 0 { output.newline() }
      for device in capture.sections where !device.links.isEmpty {
        write(device, in: capture, to: &output)
      }
      write(foot: capture, to: &output)
    }
    if run.captures.count > 1 {
      output.newline()
      output.append("\(run.summary)", as: .heading, on: terminal)
      output.newline()
    }
  }

  private mutating func write(_ device: LintDevice, in capture: LintCapture, to output: inout OutputBuffer) {
    output.append(device.title, as: .heading, on: terminal)
    output.newline()
    for link in device.links {
      if !device.isCapture { write(heading: link, to: &output) }
      output.newline()
      for finding in link.findings {
        write(finding, in: capture, to: &output)
        output.newline()
      }
    }
  }

  private mutating func write(heading link: LintLink, to output: inout OutputBuffer) {
    output.append("link \(link.number), ")
    times.appendDay(link.firstTime, to: &output)
    output.append(" ")
    times.appendTimeOfDay(link.firstTime, to: &output)
    output.append(", frames \(link.frames.lowerBound)–\(link.frames.upperBound)")
    output.newline()
  }

  private mutating func write(_ entry: LintFinding, in capture: LintCapture, to output: inout OutputBuffer) {
    let finding = entry.finding
    // One line in the form that editors and log scanners know; only a terminal has it broken.
    var line = words()
    line.append("\(TextEscaping.terminal(capture.location(of: entry))):")
    let level = entry.isSuppressed ? "baseline \(finding.level.name)" : finding.level.name
    line.append("\(level)[\(finding.rule)]", gap: 1, as: role(entry))
    Self.append(TextEscaping.terminal(finding.message), to: &line)
    line.write(to: &output, on: terminal)
    if entry.isSuppressed { return }
    write(entry.excerpt, to: &output)
    if !capture.facts.parts.isEmpty { detail("joined", "frame \(entry.frame) of all files together", to: &output) }
    detail("fault", "\(finding.fault.rawValue), \(finding.confidence.rawValue)\(cases(finding))", to: &output)
    for (index, line) in finding.evidence.enumerated() { detail(index == 0 ? "because" : "", line, to: &output) }
    detail("clause", entry.rule.clause, to: &output)
    detail("remedy", entry.rule.remedy, to: &output)
    if !finding.consequences.isEmpty {
      let list = finding.consequences.map { "\($0.rule)" + ($0.count == 1 ? "" : " (\($0.count) times)") }
      detail("explains", list.joined(separator: ", "), to: &output)
    }
  }

  private func role(_ finding: LintFinding) -> TextRole {
    if finding.isSuppressed { return .dim }
    switch finding.finding.level {
    case .error: return .bad
    case .warning: return .warning
    case .note: return .plain
    }
  }

  private func cases(_ finding: Finding) -> String {
    guard finding.frames.count > 1 else { return "" }
    let list = "; frames " + finding.frames.map(String.init).joined(separator: ", ")
    return finding.frameCount > finding.frames.count ? list + " and more, \(finding.frameCount) in all" : list
  }

  private mutating func write(_ excerpt: LintExcerpt, to output: inout OutputBuffer) {
    for line in excerpt.lines {
      if line.followsGap {
        output.append("          …", as: .dim, on: terminal)
        output.newline()
      }
      output.append(line.isMarked ? "  > " : "    ")
      output.append(String(line.frame), columns: 7, alignment: .right)
      output.append("  ")
      if let time = line.time {
        times.appendTimeOfDay(time, to: &output)
      } else {
        output.append("", columns: TimeText.timeOfDayWidth)
      }
      output.append("  ")
      output.append(line.who, columns: 11)
      let text = terminal.isTerminal ? TextColumns.cut(line.text, to: max(40, terminal.width - 36)) : line.text
      output.append(text, as: line.isMarked ? .heading : .dim, on: terminal)
      output.newline()
    }
  }

  private func detail(_ label: String, _ text: String, to output: inout OutputBuffer) {
    let indent = 14
    for (index, line) in StoryParagraph.lines(text, width: max(40, terminal.width - indent)).enumerated() {
      output.append(index == 0 ? "    " + label : "", columns: indent)
      output.append(TextEscaping.terminal(line))
      output.newline()
    }
  }

  // MARK: Summary

  private func write(foot capture: LintCapture, to output: inout OutputBuffer) {
    let name = TextEscaping.terminal(capture.facts.name)
    if capture.isEmpty {
      let early = capture.findings.isEmpty ? "" : capture.counts.text + ", and otherwise "
      output.append("\(name): \(early)nothing to judge: \(capture.emptiness)", as: .warning, on: terminal)
      output.newline()
    } else {
      write(counts: capture, to: &output)
    }
    for refusal in capture.facts.passedOver { detail("left out", refusal, to: &output) }
    guard !capture.isEmpty else { return }
    for gap in capture.facts.gaps { detail("capture", gap, to: &output) }
    for (reason, rules) in capture.reasons {
      let list = rules.map { "\($0.rule)" + ($0.links == 1 ? "" : " on \($0.links) links") }
      detail("unjudged", list.joined(separator: ", ") + ": " + reason, to: &output)
    }
  }

  private func write(counts capture: LintCapture, to output: inout OutputBuffer) {
    let counts = capture.counts
    let role: TextRole = counts.errors > 0 ? .bad : counts.warnings > 0 ? .warning : .good
    var line = words()
    line.append("\(TextEscaping.terminal(capture.facts.name)):")
    line.append(counts.text, gap: 1, as: role)
    line.append(";")
    Self.append(outcomes(capture), to: &line)
    line.write(to: &output, on: terminal)
  }

  /// A line that is broken between words where a terminal is too narrow for it.
  private func words() -> WrappedLine { WrappedLine(terminal.isTerminal ? terminal.width : nil, indent: 4) }

  private static func append(_ text: String, to line: inout WrappedLine) {
    for word in text.split(separator: " ", omittingEmptySubsequences: false) { line.append(String(word), gap: 1) }
  }

  private func outcomes(_ capture: LintCapture) -> String {
    func count(_ outcome: RuleTally.Outcome) -> Int { capture.tallies.count { $0.outcome == outcome } }
    let procedures = capture.procedureCount
    var text = "\(countText(procedures, "procedure")), \(count(.pass)) of \(capture.tallies.count) "
    text += "rules passed"
    if count(.inconclusive) > 0 { text += ", \(count(.inconclusive)) could not judge" }
    if count(.notApplicable) > 0 { text += ", \(count(.notApplicable)) had nothing to look at" }
    return text
  }
}

import ProtocolLint

/// Writes a judgement as Markdown, to paste into an issue.
struct LintMarkdown {
  private var times: TimeText

  init(_ zone: TimeText.Zone) { times = TimeText(zone) }

  mutating func write(_ run: LintRun, to output: inout OutputBuffer) {
    for (index, capture) in run.captures.enumerated() {
      if index > 0 { output.newline() }
      write(capture, to: &output)
    }
    guard !run.captures.isEmpty else { return }
    output.append("\n<sub>racpscope \(run.version) lint</sub>\n")
  }

  private mutating func write(_ capture: LintCapture, to output: inout OutputBuffer) {
    output.append("## \(MarkdownEscaping.text(capture.facts.name))\n\n")
    if capture.isEmpty {
      output.append("Nothing to judge: \(capture.emptiness).\n")
    } else {
      let procedures = capture.procedureCount
      output.append("\(capture.counts.text); \(countText(procedures, "procedure")) judged.\n")
    }
    for device in capture.sections where !device.links.isEmpty {
      output.append("\n### \(MarkdownEscaping.text(device.title))\n")
      for link in device.links {
        for finding in link.findings { write(finding, link, capture, to: &output) }
      }
    }
    let reasons = capture.reasons
    guard !reasons.isEmpty else { return }
    output.append("\n<details><summary>What the capture cannot show</summary>\n\n")
    for (reason, rules) in reasons {
      let list = rules.map(\.rule.description).joined(separator: ", ")
      output.append("- \(list): \(MarkdownEscaping.text(reason))\n")
    }
    output.append("\n</details>\n")
  }

  private mutating func write(
    _ entry: LintFinding,
    _ link: LintLink,
    _ capture: LintCapture,
    to output: inout OutputBuffer
  ) {
    let finding = entry.finding
    output.append("\n#### \(finding.level.name) \(finding.rule) \(entry.rule.name)")
    output.append(entry.isSuppressed ? " (in the baseline)\n\n" : "\n\n")
    output.append("\(MarkdownEscaping.text(finding.message))\n\n")
    let spot = capture.place(of: entry.frame)
    let frame = "frame \(spot.frame)" + (capture.facts.parts.isEmpty ? "" : " of \(MarkdownEscaping.text(spot.file))")
    let place = link.number == 0 ? frame : "link \(link.number), \(frame), " + times.timestamp(finding.time)
    output.append("At fault: **\(finding.fault.rawValue)** (\(finding.confidence.rawValue)); \(place).\n\n")
    if !entry.excerpt.lines.isEmpty {
      output.append("```text\n")
      for line in entry.excerpt.lines {
        if line.followsGap { output.append("          …\n") }
        output.append(line.isMarked ? "> " : "  ")
        output.append(String(line.frame), columns: 7, alignment: .right)
        output.append("  ")
        output.append(line.time.map { times.timeOfDay($0) } ?? "", columns: TimeText.timeOfDayWidth)
        output.append("  ")
        output.append(line.who, columns: 11)
        // A value cannot end the block.
        output.append(line.text.split(separator: "`", omittingEmptySubsequences: false).joined(separator: "'"))
        output.newline()
      }
      output.append("```\n\n")
    }
    for line in finding.evidence { output.append("- because: \(MarkdownEscaping.text(line))\n") }
    output.append("- clause: \(MarkdownEscaping.text(entry.rule.clause))\n")
    output.append("- remedy: \(MarkdownEscaping.text(entry.rule.remedy))\n")
    if !finding.consequences.isEmpty {
      let list = finding.consequences.map { "\($0.rule)" + ($0.count == 1 ? "" : " (\($0.count) times)") }
      output.append("- explains: \(list.joined(separator: ", "))\n")
    }
  }
}

/// The shapes a judgement is written in.
public enum LintFormat: String, Sendable, CaseIterable {
  case text, json, jsonl, sarif, junit, markdown

  /// Appends a whole judgement.
  public func write(_ run: LintRun, zone: TimeText.Zone, terminal: Terminal, to output: inout OutputBuffer) {
    switch self {
    case .text:
      var writer = LintText(terminal, zone)
      writer.write(run, to: &output)
    case .json:
      var writer = LintJSON(output, zone, layout: .indented)
      output = writer.writeDocument(run)
    case .jsonl:
      var writer = LintJSON(output, zone, layout: .oneLine)
      output = writer.writeLines(run)
    case .sarif: output = LintSARIF(output).write(run)
    case .junit: LintJUnit.write(run, to: &output)
    case .markdown:
      var writer = LintMarkdown(zone)
      writer.write(run, to: &output)
    }
  }
}

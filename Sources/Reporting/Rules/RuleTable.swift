import LinkTrace
import ProtocolLint

/// Writes the list of all rules.
public enum RuleTable {
  /// A line for each rule: identifier, level, fault, name, summary, clause; cut to the width of a terminal.
  public static func writeText(on terminal: Terminal, to output: inout OutputBuffer) {
    let rows = RuleRegistry.rules.map(cells)
    let head = ["ID", "LEVEL", "FAULT", "NAME", "SUMMARY", "CLAUSE"]
    let widths = head.indices.map { column in
      ([head] + rows).map { TextColumns.count($0[column]) }.max() ?? 0
    }
    for (index, row) in ([head] + rows).enumerated() {
      var line = OutputBuffer()
      for (column, cell) in row.enumerated() {
        if column > 0 { line.append("  ") }
        line.append(cell, columns: column == row.count - 1 ? TextColumns.count(cell) : widths[column])
      }
      let text = terminal.isTerminal ? TextColumns.cut(line.text, to: terminal.width) : line.text
      output.append(text, as: index == 0 ? .heading : .plain, on: terminal)
      output.newline()
    }
  }

  private static func cells(_ rule: any Rule) -> [String] {
    let description = rule.description
    return [
      description.identifier.description, RuleListing.highestLevel(description.identifier).name,
      RuleListing.faults(rule).map(\.rawValue).joined(separator: ", "), description.name, description.summary,
      description.clause,
    ]
  }

  /// One document, schema `racpscope/rules/1`.
  public static func writeJSON(to output: inout OutputBuffer) {
    var json = JSONWriter(output, layout: .indented)
    json.beginObject()
    json.member("schema", "racpscope/rules/1")
    json.key("rules")
    json.beginArray()
    for rule in RuleRegistry.rules {
      let description = rule.description
      json.beginObject()
      json.member("rule", description.identifier.description)
      json.member("level", RuleListing.highestLevel(description.identifier).name)
      json.key("faults")
      json.beginArray()
      for fault in RuleListing.faults(rule) { json.value(fault.rawValue) }
      json.endArray()
      json.member("name", description.name)
      json.member("summary", description.summary)
      json.member("rationale", description.rationale)
      json.member("remedy", description.remedy)
      json.member("clause", description.clause)
      json.key("explains")
      json.beginArray()
      for other in description.explains { json.value(other.description) }
      json.endArray()
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.endDocument()
    output = json.output
  }
}

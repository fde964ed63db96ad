import LinkTrace
public import ProtocolLint

/// The page of a rule, made from the rule itself and its examples run through the real pipeline.
public enum RulePage {
  /// Where a page stands in the package's documentation.
  public static func fileName(_ rule: any Rule) -> String { "\(rule.description.identifier).md" }

  /// The page in Markdown.
  public static func markdown(_ rule: any Rule) -> String {
    let description = rule.description
    var sections = [
      "# \(description.identifier) \(description.name)",
      "## What it does\n\nReports that \(description.summary). " + weight(rule),
      "## Why it matters\n\n\(description.rationale)",
      "## What the capture must show\n\n" + needs(description.needs),
    ]
    if let hole = description.hole {
      sections.append(
        "## What a hole looks like\n\nMost loggers do not count the packets they lose. "
          + hole
      )
    }
    for example in rule.failing { sections.append(section("Failing", example)) }
    let ofNotes = RuleListing.findings(ofNotes: rule)
    if !ofNotes.isEmpty {
      sections.append(
        "## Failing: what reading the file shows\n\n" + ofNotes.map { "- " + outcome($0) }.joined(separator: "\n")
      )
    }
    for example in rule.passing { sections.append(section("Passing", example)) }
    sections.append("## What to do\n\n\(description.remedy)")
    if !description.explains.isEmpty {
      sections.append(
        "## What it explains\n\nFindings of these rules about the same procedure or packets are listed under this one: "
          + description.explains.map(\.description).joined(separator: ", ") + "."
      )
    }
    sections.append("## Clause\n\n\(description.clause)")
    return sections.joined(separator: "\n\n") + "\n"
  }

  private static func outcome(_ finding: Finding) -> String {
    "\(finding.level.name), \(finding.fault.rawValue): \(finding.message)"
  }

  /// The most its findings weigh, and the sides they accuse.
  private static func weight(_ rule: any Rule) -> String {
    let faults = RuleListing.faults(rule).map(\.rawValue).joined(separator: " or ")
    return "At most \(article(RuleListing.highestLevel(rule.description.identifier))); fault: \(faults)."
  }

  private static func article(_ level: FindingLevel) -> String { level == .error ? "an error" : "a \(level.name)" }

  private static func needs(_ needs: VisibilityFacts) -> String {
    if needs.isEmpty { return "Nothing: the rule speaks of the capture itself." }
    let words: [(VisibilityFacts, String)] = [
      (.bothDirections, "packets of both directions"),
      (.noLoss, "no packet of the link lost by the logger"),
      (.everyIndication, "the indication to each confirmation"),
      (.whole, "packets that were not cut"),
      (.start, "the start of the link"),
      (.end, "the end of the link"),
      (.steadyClock, "a clock that is not set while the link is up"),
      (.security, "the link from its start, with the controller's commands and events"),
      (.identity, "an address or an identity key by which the links are known to be those of one device"),
      (.history, "the pairing of the two devices"),
    ]
    let lines = words.filter { needs.contains($0.0) }.map { "- \($0.1)" }
    return lines.joined(separator: "\n") + "\n\nWithout them the rule says that it could not judge, and why."
  }

  private static func section(_ kind: String, _ example: RuleExample) -> String {
    let packets = ExamplePackets(example)
    let block = "```text\n" + packets.lines.joined(separator: "\n") + "\n```"
    return "## \(kind): \(example.title)\n\n" + block + packets.findings.map { "\n\n" + outcome($0) }.joined()
  }
}

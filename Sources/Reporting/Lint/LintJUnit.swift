import CaptureFiles
import ProtocolLint

/// Writes a judgement in the JUnit form that CI systems read: a suite for each capture, a case for each rule.
///
/// Errors and warnings are failures, and notes where `--fail-on` counts them; a rule that could not judge is skipped
/// with its reason, never passed.
enum LintJUnit {
  static func write(_ run: LintRun, to output: inout OutputBuffer) {
    var suites = OutputBuffer()
    var tests = 0
    var failures = 0
    for capture in run.captures {
      let suite = suite(capture, run.threshold)
      tests += capture.tallies.count
      failures += suite.failures
      suites.append(suite.text)
    }
    for error in run.unreadable {
      tests += 1
      suites.append(unreadable(error.message))
    }
    output.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    output.append("<testsuites name=\"racpscope lint\" tests=\"\(tests)\" failures=\"\(failures)\" ")
    output.append("errors=\"\(run.unreadable.count)\">\n")
    output.append(suites.octets)
    output.append("</testsuites>\n")
  }

  private static func suite(_ capture: LintCapture, _ threshold: FailureThreshold) -> (text: [UInt8], failures: Int) {
    var cases = OutputBuffer()
    var failures = 0
    var skipped = 0
    for tally in capture.tallies {
      let entries = capture.findings.filter { $0.finding.rule.identifier == tally.rule.identifier }.map(\.finding)
      let failing = entries.filter { isFailure($0, threshold) }
      open(tally.rule, capture, &cases)
      if !failing.isEmpty {
        failures += 1
        write(failing, capture, &cases)
      } else if let reason = skipReason(tally) {
        skipped += 1
        cases.append("      <skipped message=\"")
        cases.append(xml: reason)
        cases.append("\"/>\n")
      }
      let others = entries.filter { !isFailure($0, threshold) }
      if !others.isEmpty {
        cases.append("      <system-out>")
        cases.append(xml: others.map { line($0, capture) }.joined(separator: "\n"), isAttribute: false)
        cases.append("</system-out>\n")
      }
      cases.append("    </testcase>\n")
    }
    var suite = OutputBuffer()
    suite.append("  <testsuite name=\"")
    suite.append(xml: capture.facts.name)
    suite.append("\" tests=\"\(capture.tallies.count)\" failures=\"\(failures)\" errors=\"0\" ")
    suite.append("skipped=\"\(skipped)\">\n")
    suite.append(cases.octets)
    suite.append("  </testsuite>\n")
    return (suite.octets, failures)
  }

  private static func isFailure(_ finding: LintFinding, _ threshold: FailureThreshold) -> Bool {
    !finding.isSuppressed && (finding.finding.level >= .warning || threshold.isMet(by: finding.finding.level))
  }

  private static func open(_ rule: RuleDescription, _ capture: LintCapture, _ output: inout OutputBuffer) {
    output.append("    <testcase classname=\"")
    output.append(xml: capture.facts.name)
    output.append("\" name=\"")
    output.append(xml: "\(rule.identifier) \(rule.name)")
    output.append("\" time=\"0\">\n")
  }

  /// One failure: the worst finding is its message, all of them its text.
  private static func write(_ findings: [LintFinding], _ capture: LintCapture, _ output: inout OutputBuffer) {
    let worst = findings[0].finding
    output.append("      <failure type=\"\(worst.level.name)\" message=\"")
    output.append(xml: worst.message)
    output.append("\">")
    var lines: [String] = []
    for finding in findings {
      lines.append(line(finding, capture))
      for packet in finding.excerpt.lines {
        lines.append("\(packet.isMarked ? "  > " : "    ")\(packet.frame)  \(packet.who)  \(packet.text)")
      }
      lines += finding.finding.evidence.map { "    because \($0)" }
    }
    lines.append("clause: \(findings[0].rule.clause)")
    lines.append("remedy: \(findings[0].rule.remedy)")
    output.append(xml: lines.joined(separator: "\n"), isAttribute: false)
    output.append("</failure>\n")
  }

  private static func line(_ entry: LintFinding, _ capture: LintCapture) -> String {
    "\(capture.location(of: entry)): \(entry.finding.level.name)[\(entry.finding.rule)] \(entry.finding.message)"
      + " (\(entry.finding.fault.rawValue))" + (entry.isSuppressed ? " (in the baseline)" : "")
  }

  private static func skipReason(_ tally: RuleTally) -> String? {
    switch tally.outcome {
    case .explained: return "listed under the finding that explains it"
    case .notApplicable: return "not applicable: nothing in the capture for this rule to look at"
    case .fail where tally.reasons.isEmpty, .pass: return nil
    case .fail, .inconclusive:
      return "inconclusive: "
        + tally.reasons.map { $0.reason + ($0.links == 1 ? "" : " (\($0.links) links)") }.joined(separator: "; ")
    }
  }

  private static func unreadable(_ message: String) -> [UInt8] {
    var output = OutputBuffer()
    output.append("  <testsuite name=\"input\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">\n")
    output.append("    <testcase classname=\"input\" name=\"readable\" time=\"0\">\n      <error message=\"")
    output.append(xml: message)
    output.append("\"/>\n    </testcase>\n  </testsuite>\n")
    return output.octets
  }
}

import Foundation
import FoundationXML
import ReferenceCaptures
import Testing

/// The reports of `racpscope lint` as their readers see them: parsers of JSON and XML, and the schema of SARIF.
@Suite struct LintFormatTests {
  private static let texts = [
    "rule", "level", "fault", "file", "message", "clause", "remedy", "confidence", "fingerprint", "time",
  ]
  private static let samples = [
    "samples/overlap-accepted.btsnoop", "samples/no-encryption.btsnoop", "samples/silence.btsnoop",
    "samples/mid-connection-start.pcap",
  ]

  private func object(_ text: some StringProtocol) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test func everyLineHasItsMembers() throws {
    let run = try CommandRun(["lint", "--utc", "--format", "jsonl"] + Self.samples)
    let documentation = try String(
      contentsOf: CommandRun.root.appendingPathComponent("docs/json.md"),
      encoding: .utf8
    )
    #expect(run.output.split(separator: "\n").count >= 3)
    for line in run.output.split(separator: "\n") {
      let finding = try object(line)
      #expect(finding["schema"] as? String == "racpscope/finding/1")
      for name in Self.texts {
        let text = finding[name] as? String
        #expect(text?.isEmpty == false, "\(name) in \(line)")
      }
      #expect((finding["frames"] as? [Int])?.isEmpty == false)
      #expect(finding["link"] is Int && finding["suppressed"] is Bool && finding["consequences"] is [Any])
      let excerpt = try #require(finding["excerpt"] as? [[String: Any]])
      let marked = excerpt.filter { $0["marked"] as? Bool == true }.compactMap { $0["frame"] as? Int }
      #expect(marked.first == (finding["frames"] as? [Int])?.first)
      for name in finding.keys { #expect(documentation.contains("| `\(name)` |"), "\(name) is not documented") }
    }
  }

  @Test func theDocumentCountsWhatItLists() throws {
    let run = try CommandRun(["lint", "--utc", "--format", "json"] + Self.samples)
    let root = try object(run.output)
    #expect(root["schema"] as? String == "racpscope/lint/1")
    #expect(root["exit"] as? Int == Int(run.status))
    let captures = try #require(root["captures"] as? [[String: Any]])
    #expect(captures.count == Self.samples.count)
    for capture in captures {
      let findings = try #require(capture["findings"] as? [[String: Any]])
      let summary = try #require(capture["summary"] as? [String: Int])
      for (level, member) in [("error", "errors"), ("warning", "warnings"), ("note", "notes")] {
        #expect(findings.count { $0["level"] as? String == level } == summary[member])
      }
      let rules = try #require(capture["rules"] as? [[String: Any]])
      #expect(Set(rules.compactMap { $0["rule"] as? String }).count == rules.count)
    }
  }

  @Test func whatCannotBeJudgedIsNeverAPass() throws {
    let run = try CommandRun(["lint", "--format", "json", "samples/mid-connection-start.pcap"])
    let captures = try #require(try object(run.output)["captures"] as? [[String: Any]])
    let rules = try #require(captures.first?["rules"] as? [[String: Any]])
    let doubtful = rules.filter { ($0["inconclusive"] as? [Any])?.isEmpty == false }
    #expect(!doubtful.isEmpty)
    for rule in doubtful { #expect(rule["outcome"] as? String != "pass") }
  }

  // MARK: JUnit

  /// Counts the elements of a report; nil where it is no XML.
  private final class Elements: NSObject, XMLParserDelegate {
    var counts: [String: Int] = [:]
    var suites: [[String: String]] = []

    func parser(
      _ parser: XMLParser,
      didStartElement name: String,
      namespaceURI: String?,
      qualifiedName: String?,
      attributes: [String: String]
    ) {
      counts[name, default: 0] += 1
      if name == "testsuite" { suites.append(attributes) }
    }
  }

  @Test func aSuiteForEachFileAndACaseForEachRule() throws {
    let run = try CommandRun(["lint", "--format", "junit"] + Self.samples)
    let parser = XMLParser(data: Data(run.output.utf8))
    let elements = Elements()
    parser.delegate = elements
    let isRead = parser.parse()
    #expect(isRead)
    #expect(elements.counts["testsuite"] == Self.samples.count)
    let cases = elements.suites.compactMap { $0["tests"].flatMap(Int.init) }.reduce(0, +)
    #expect(elements.counts["testcase"] == cases)
    let failures = elements.suites.compactMap { $0["failures"].flatMap(Int.init) }.reduce(0, +)
    #expect(failures >= 3 && elements.counts["failure"] == failures)
    let skipped = elements.suites.compactMap { $0["skipped"].flatMap(Int.init) }.reduce(0, +)
    #expect(skipped > 0 && elements.counts["skipped"] == skipped)
    #expect(run.output.contains("inconclusive: "))
  }

  @Test func aStrangeFileNameBreaksNoReport() throws {
    let folder = try ScratchFolder()
    let path = folder.path("<a & \"b\">|`c`: \u{1B}[31m é.btsnoop")
    try FileManager.default.copyItem(
      at: CommandRun.root.appendingPathComponent("samples/overlap-accepted.btsnoop"),
      to: URL(fileURLWithPath: path)
    )
    let junit = try CommandRun(["lint", "--format", "junit", path])
    let isRead = XMLParser(data: Data(junit.output.utf8)).parse()
    #expect(junit.status == 1 && isRead)
    let text = try CommandRun(["lint", path])
    #expect(!text.output.contains("\u{1B}"))
    let finding = try object(try CommandRun(["lint", "--format", "jsonl", path]).output.split(separator: "\n")[0])
    #expect(finding["file"] as? String == path)
    let sarif = try CommandRun(["lint", "--format", "sarif", path])
    #expect(sarif.output.contains("%3Ca%20%26%20%22b%22%3E%7C%60c%60%3A%20%1B"))
    let markdown = try CommandRun(["lint", "--format", "markdown", path])
    #expect(markdown.output.contains("\\<a &amp; \"b\"\\>"))
  }

  // MARK: SARIF

  @Test func resultsPointAtFramesAndRules() throws {
    let folder = try ScratchFolder()
    let baseline = folder.path("known.json")
    _ = try CommandRun(["lint", "--write-baseline", baseline, Self.samples[0]])
    let run = try CommandRun(["lint", "--format", "sarif", "--baseline", baseline] + Self.samples)
    let root = try object(run.output)
    #expect(root["version"] as? String == "2.1.0")
    let first = try #require((root["runs"] as? [[String: Any]])?.first)
    let driver = try #require((first["tool"] as? [String: Any])?["driver"] as? [String: Any])
    let rules = try #require(driver["rules"] as? [[String: Any]])
    let results = try #require(first["results"] as? [[String: Any]])
    #expect(results.count >= 3)
    var suppressed = 0
    for result in results {
      let index = try #require(result["ruleIndex"] as? Int)
      #expect(rules[index]["id"] as? String == result["ruleId"] as? String)
      #expect((rules[index]["help"] as? [String: String])?["text"]?.isEmpty == false)
      #expect((result["partialFingerprints"] as? [String: String])?["racpscope/2"]?.isEmpty == false)
      let location = try #require((result["locations"] as? [[String: Any]])?.first)
      let frames = try #require(location["logicalLocations"] as? [[String: Any]])
      #expect((frames.first?["name"] as? String)?.hasPrefix("frame ") == true)
      if result["suppressions"] != nil { suppressed += 1 }
    }
    #expect(suppressed >= 1 && suppressed < results.count)
    let invocation = try #require((first["invocations"] as? [[String: Any]])?.first)
    #expect(invocation["exitCode"] as? Int == Int(run.status))
  }

  @Test(
    .enabled(if: Folder.schemas.isThere, "\(Folder.schemas.absence)"),
    .enabled("python3 with the package jsonschema is not installed") { try python("import jsonschema").status == 0 }
  )
  func theReportFitsTheSchema() throws {
    let schema = Folder.schemas.path("sarif-schema-2.1.0.json")
    let folder = try ScratchFolder()
    let report = folder.path("lint.sarif")
    let baseline = folder.path("known.json")
    _ = try CommandRun(["lint", "--write-baseline", baseline, Self.samples[0]])
    let run = try CommandRun(["lint", "--baseline", baseline, "-o", "sarif=" + report] + Self.samples + ["README.md"])
    #expect(run.status == 2)
    let verdict = try Self.python(Self.validation, [schema, report])
    #expect(verdict.output == "valid\n" && verdict.status == 0)
  }

  private static func python(_ program: String, _ arguments: [String] = []) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", program] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }

  private static let validation = """
    import json, jsonschema, sys
    schema, report = (json.load(open(path)) for path in sys.argv[1:])
    validator = jsonschema.validators.validator_for(schema)(schema)
    errors = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(report)]
    print("\\n".join(errors) if errors else "valid")
    sys.exit(1 if errors else 0)
    """
}

import BluetoothWire
import CaptureFiles
import ProtocolLint

/// Writes a judgement in the Static Analysis Results Interchange Format 2.1.0 (OASIS).
///
/// A capture has no lines: the frames stand as logical locations. The region says line 1, as platforms that show
/// results refuse a location without one.
struct LintSARIF {
  private var json: JSONWriter

  init(_ output: OutputBuffer) { json = JSONWriter(output, layout: .indented) }

  consuming func write(_ run: LintRun) -> OutputBuffer {
    json.beginObject()
    json.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
    json.member("version", "2.1.0")
    json.key("runs")
    json.beginArray()
    json.beginObject()
    tool(run)
    invocation(run)
    artifacts(run)
    json.member("columnKind", "unicodeCodePoints")
    json.key("results")
    json.beginArray()
    var first = 0
    for capture in run.captures {
      for (device, link, finding) in capture.findings { result(finding, link, device, capture, artifact: first, run) }
      first += capture.files.count
    }
    json.endArray()
    json.endObject()
    json.endArray()
    json.endObject()
    json.endDocument()
    return json.output
  }

  // MARK: Run

  private mutating func tool(_ run: LintRun) {
    json.key("tool")
    json.beginObject()
    json.key("driver")
    json.beginObject()
    json.member("name", "racpscope")
    json.member("version", run.version)
    json.member("semanticVersion", run.version)
    json.key("rules")
    json.beginArray()
    for rule in run.rules { self.rule(rule) }
    json.endArray()
    json.endObject()
    json.endObject()
  }

  private mutating func rule(_ rule: RuleDescription) {
    json.beginObject()
    json.member("id", rule.identifier.description)
    json.member("name", rule.name)
    text("shortDescription", rule.summary)
    text("fullDescription", rule.rationale)
    json.key("defaultConfiguration")
    json.beginObject()
    json.member("level", RuleListing.highestLevel(rule.identifier).name)
    json.endObject()
    text("help", "\(rule.rationale) \(rule.remedy) (\(rule.clause))")
    json.key("properties")
    json.beginObject()
    json.member("clause", rule.clause)
    json.endObject()
    json.endObject()
  }

  private mutating func invocation(_ run: LintRun) {
    json.key("invocations")
    json.beginArray()
    json.beginObject()
    json.member("executionSuccessful", run.unreadable.isEmpty)
    json.member("exitCode", run.exitCode)
    json.member("exitCodeDescription", run.verdict)
    json.key("toolExecutionNotifications")
    json.beginArray()
    for error in run.unreadable { notification("error", error.message) }
    var index = 0
    for capture in run.captures {
      defer { index += capture.files.count }
      for refusal in capture.facts.passedOver { notification("warning", refusal, artifact: (index, capture)) }
      if capture.isEmpty {
        notification("warning", "nothing to judge: \(capture.emptiness)", artifact: (index, capture))
      }
      for tally in capture.tallies {
        for entry in tally.reasons {
          let links = entry.links == 1 ? "1 link" : "\(entry.links) links"
          let message = "could not judge \(links): \(entry.reason)"
          notification("note", message, artifact: (index, capture), rule: tally.rule.identifier)
        }
      }
    }
    json.endArray()
    json.endObject()
    json.endArray()
  }

  private mutating func notification(
    _ level: String,
    _ message: String,
    artifact: (index: Int, capture: LintCapture)? = nil,
    rule: RuleIdentifier? = nil
  ) {
    json.beginObject()
    json.member("level", level)
    text("message", message)
    if let rule {
      json.key("associatedRule")
      json.beginObject()
      json.member("id", rule.description)
      json.endObject()
    }
    if let artifact {
      json.key("locations")
      json.beginArray()
      json.beginObject()
      json.key("physicalLocation")
      json.beginObject()
      location(artifact.capture.file, index: artifact.index)
      json.endObject()
      json.endObject()
      json.endArray()
    }
    json.endObject()
  }

  private mutating func artifacts(_ run: LintRun) {
    json.key("artifacts")
    json.beginArray()
    for capture in run.captures {
      for file in capture.files {
        json.beginObject()
        location(file, index: nil)
        text("description", "\(capture.facts.format), \(capture.facts.frameText)")
        json.endObject()
      }
    }
    json.endArray()
  }

  // MARK: Results

  private mutating func result(
    _ entry: LintFinding,
    _ link: LintLink,
    _ device: LintDevice,
    _ capture: LintCapture,
    artifact: Int,
    _ run: LintRun
  ) {
    let finding = entry.finding
    json.beginObject()
    json.member("ruleId", finding.rule.description)
    if let index = run.rules.firstIndex(where: { $0.identifier == finding.rule }) { json.member("ruleIndex", index) }
    json.member("kind", "fail")
    json.member("level", finding.level.name)
    let place = link.number == 0 ? "frame \(entry.frame)" : "frame \(entry.frame), link \(link.number)"
    text("message", "\(finding.message) (\(place), \(finding.fault.rawValue))")
    json.key("locations")
    json.beginArray()
    json.beginObject()
    json.key("physicalLocation")
    json.beginObject()
    let spot = capture.place(of: entry.frame)
    location(spot.file, index: artifact + spot.part)
    json.key("region")
    json.beginObject()
    json.member("startLine", 1)
    json.endObject()
    json.endObject()
    json.key("logicalLocations")
    json.beginArray()
    for frame in finding.frames {
      json.beginObject()
      json.member("name", "frame \(frame)")
      let number = link.frames.contains(frame) ? link.number : device.link(ofFrame: frame) ?? 0
      let path = number == 0 ? device.key : "\(device.key)/link \(number)"
      json.member("fullyQualifiedName", "\(path)/frame \(frame)")
      json.member("kind", "frame")
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.endArray()
    json.key("partialFingerprints")
    json.beginObject()
    json.member("racpscope/2", entry.fingerprint)
    json.endObject()
    if entry.isSuppressed {
      json.key("suppressions")
      json.beginArray()
      json.beginObject()
      json.member("kind", "external")
      json.member("status", "accepted")
      json.member("justification", "in the baseline")
      json.endObject()
      json.endArray()
    }
    properties(entry, link, device)
    json.endObject()
  }

  private mutating func properties(_ entry: LintFinding, _ link: LintLink, _ device: LintDevice) {
    let finding = entry.finding
    json.key("properties")
    json.beginObject()
    json.member("fault", finding.fault.rawValue)
    json.member("confidence", finding.confidence.rawValue)
    json.member("device", device.address?.description)
    json.member("link", link.number == 0 ? nil : link.number)
    json.member("frameCount", finding.frameCount)
    json.member("clause", entry.rule.clause)
    json.member("remedy", entry.rule.remedy)
    json.key("evidence")
    json.beginArray()
    for line in finding.evidence { json.value(line) }
    json.endArray()
    json.key("consequences")
    json.beginArray()
    for consequence in finding.consequences { json.value(consequence.rule.description) }
    json.endArray()
    json.endObject()
  }

  // MARK: Parts

  private mutating func text(_ name: String, _ text: String) {
    json.key(name)
    json.beginObject()
    json.member("text", text)
    json.endObject()
  }

  private mutating func location(_ file: String, index: Int?) {
    json.key(index == nil ? "location" : "artifactLocation")
    json.beginObject()
    json.member("uri", Self.uri(file))
    if let index { json.member("index", index) }
    json.endObject()
  }

  /// A relative reference, or a `file` URI for an absolute path (RFC 3986, RFC 8089).
  static func uri(_ path: String) -> String {
    var text = path.hasPrefix("/") ? "file://" : ""
    for octet in path.utf8 {
      switch octet {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        text.unicodeScalars.append(Unicode.Scalar(octet))
      default: text += "%" + hex(UInt64(octet), digits: 2).uppercased()
      }
    }
    return text
  }
}

import BluetoothWire
import CaptureFiles
import ProtocolLint

/// Writes a judgement as JSON: one document (`racpscope/lint/1`), or a line for each finding (`racpscope/finding/1`).
struct LintJSON {
  private var json: JSONWriter
  private var times: TimeText

  init(_ output: OutputBuffer, _ zone: TimeText.Zone, layout: JSONWriter.Layout) {
    json = JSONWriter(output, layout: layout)
    times = TimeText(zone)
  }

  mutating func writeLines(_ run: LintRun) -> OutputBuffer {
    for capture in run.captures {
      for (device, link, finding) in capture.findings {
        json.beginObject()
        json.member("schema", "racpscope/finding/1")
        members(finding, link, device, capture)
        json.endObject()
        json.endDocument()
      }
    }
    return json.output
  }

  mutating func writeDocument(_ run: LintRun) -> OutputBuffer {
    json.beginObject()
    json.member("schema", "racpscope/lint/1")
    json.member("version", run.version)
    json.member("exit", run.exitCode)
    json.member("verdict", run.verdict)
    json.member("failOn", run.threshold.rawValue)
    json.key("summary")
    write(run.captures.reduce(LintCounts()) { $0 + $1.counts })
    json.key("captures")
    json.beginArray()
    for capture in run.captures { write(capture) }
    json.endArray()
    json.key("unreadable")
    json.beginArray()
    for error in run.unreadable {
      json.beginObject()
      json.member("reason", error.kind.rawValue)
      json.member("message", error.message)
      json.endObject()
    }
    json.endArray()
    json.endObject()
    json.endDocument()
    return json.output
  }

  private mutating func write(_ counts: LintCounts) {
    json.beginObject()
    json.member("errors", counts.errors)
    json.member("warnings", counts.warnings)
    json.member("notes", counts.notes)
    json.member("suppressed", counts.suppressed)
    json.member("otherSide", counts.otherSide)
    json.endObject()
  }

  private mutating func write(_ capture: LintCapture) {
    json.beginObject()
    json.member("file", capture.file)
    strings("joined", Array(capture.files.dropFirst()))
    json.member("format", capture.facts.format)
    json.member("frames", capture.facts.frames)
    strings("gaps", capture.facts.gaps)
    strings("passedOver", capture.facts.passedOver)
    json.member("procedures", capture.procedureCount)
    json.member("empty", capture.isEmpty)
    json.key("summary")
    write(capture.counts)
    json.key("devices")
    json.beginArray()
    for device in capture.devices {
      json.beginObject()
      json.member("address", device.address?.description)
      json.member("addressType", device.address?.kind.rawValue)
      name(device)
      json.member("server", device.isLocal ? "local" : "peer")
      json.member("links", device.linkCount)
      json.member("procedures", device.procedureCount)
      json.endObject()
    }
    json.endArray()
    json.key("rules")
    json.beginArray()
    for tally in capture.tallies { write(tally) }
    json.endArray()
    json.key("findings")
    json.beginArray()
    for (device, link, finding) in capture.findings {
      json.beginObject()
      members(finding, link, device, capture)
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }

  private mutating func write(_ tally: RuleTally) {
    json.beginObject()
    json.member("rule", tally.rule.identifier.description)
    json.member("outcome", tally.outcome.rawValue)
    json.member("passed", tally.passed)
    json.member("failed", tally.failed)
    json.member("explained", tally.explained)
    json.key("inconclusive")
    json.beginArray()
    for entry in tally.reasons {
      json.beginObject()
      json.member("reason", entry.reason)
      json.member("links", entry.links)
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }

  private mutating func members(
    _ entry: LintFinding,
    _ link: LintLink,
    _ device: LintDevice,
    _ capture: LintCapture
  ) {
    let finding = entry.finding
    json.member("rule", finding.rule.description)
    json.member("name", entry.rule.name)
    json.member("level", finding.level.name)
    json.member("fault", finding.fault.rawValue)
    json.member("confidence", finding.confidence.rawValue)
    let place = capture.place(of: entry.frame)
    json.member("file", place.file)
    json.member("fileFrame", place.frame)
    json.member("device", device.address?.description)
    json.key("deviceName")
    if let name = device.name { json.value(utf8: name) } else { json.null() }
    json.member("link", link.number == 0 ? nil : link.number)
    json.member("procedure", finding.procedure.map { $0 + 1 })
    json.key("frames")
    json.beginArray()
    for frame in finding.frames { json.value(frame) }
    json.endArray()
    json.member("frameCount", finding.frameCount)
    json.member("time", link.number == 0 ? nil : times.timestamp(finding.time))
    json.member("message", finding.message)
    strings("evidence", finding.evidence)
    json.member("clause", entry.rule.clause)
    json.member("remedy", entry.rule.remedy)
    json.member("fingerprint", entry.fingerprint)
    json.key("consequences")
    json.beginArray()
    for consequence in finding.consequences {
      json.beginObject()
      json.member("rule", consequence.rule.description)
      json.member("count", consequence.count)
      json.endObject()
    }
    json.endArray()
    json.member("suppressed", entry.isSuppressed)
    json.key("excerpt")
    json.beginArray()
    for line in entry.excerpt.lines { write(line) }
    json.endArray()
  }

  private mutating func write(_ line: LintExcerpt.Line) {
    json.beginObject()
    json.member("frame", line.frame)
    if let time = line.time {
      json.member("time", times.timestamp(time))
    } else {
      json.key("time")
      json.null()
    }
    json.member("who", line.who)
    json.member("text", line.text)
    json.member("marked", line.isMarked)
    json.endObject()
  }

  private mutating func name(_ device: LintDevice) {
    json.key("name")
    if let name = device.name { json.value(utf8: name) } else { json.null() }
  }

  private mutating func strings(_ name: String, _ values: [String]) {
    json.key(name)
    json.beginArray()
    for value in values { json.value(value) }
    json.endArray()
  }
}

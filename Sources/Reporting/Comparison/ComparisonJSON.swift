import BluetoothWire
import FetchComparison
import HealthProfiles
import LinkTrace
import ProtocolLint
import RecordCollector
import RecordStore

/// Writes a comparison as one JSON document, `racpscope/comparison/1`.
public struct ComparisonJSON {
  private var json: JSONWriter
  private var times: TimeText
  private let comparison: Comparison

  public init(_ comparison: Comparison, output: OutputBuffer, zone: TimeText.Zone) {
    json = JSONWriter(output, layout: .indented)
    times = TimeText(zone)
    self.comparison = comparison
  }

  /// - Parameter version: the version of the program.
  public mutating func write(version: String) -> OutputBuffer {
    json.beginObject()
    json.member("schema", "racpscope/comparison/1")
    json.member("version", version)
    json.member("exit", comparison.exitCode)
    json.key("answer")
    json.beginArray()
    for sentence in ComparisonAnswer(comparison).sentences { json.value(sentence.text) }
    json.endArray()
    json.member("ignoresIdentity", comparison.fetches.ignoresIdentity)
    json.member("alignsNothing", comparison.fetches.alignsNothing)
    json.key("first")
    write(comparison.first, comparison.fetches.first)
    json.key("second")
    write(comparison.second, comparison.fetches.second)
    json.key("devices")
    json.beginArray()
    for device in comparison.devices { write(device) }
    json.endArray()
    json.endObject()
    json.endDocument()
    return json.output
  }

  private mutating func write(_ party: ComparisonParty, _ side: ComparedSide) {
    json.beginObject()
    json.member("title", party.title)
    json.member("store", party.isStore)
    json.member("unreadableRows", party.unreadableRows)
    json.key("captures")
    json.beginArray()
    for facts in party.captures {
      json.beginObject()
      json.member("file", facts.name)
      json.member("format", facts.format)
      json.member("frames", facts.frames)
      strings("gaps", facts.gaps)
      json.endObject()
    }
    json.endArray()
    json.key("links")
    json.beginArray()
    for (index, link) in side.links.enumerated() { write(link, index, party) }
    json.endArray()
    json.key("syncs")
    json.beginArray()
    for run in party.runs { write(run) }
    json.endArray()
    json.endObject()
  }

  private mutating func write(_ run: StoredRun) {
    json.beginObject()
    json.member("start", StoreDevicesReport.time(run.startedAt, &times))
    json.member("outcome", run.outcome)
    json.member("detail", run.detail)
    json.member("complete", run.isComplete)
    json.member("encrypted", run.security.isEncrypted)
    json.member("request", run.request.isEmpty ? nil : RunCells.request(run))
    json.key("octets")
    let request = unsafe run.request.span.bytes
    json.value(hexOctetsOf: request)
    json.member("records", run.received)
    json.member("contexts", run.contexts)
    json.member("new", run.stored)
    json.member("alreadyHeld", run.alreadyHeld)
    json.member("durationMicroseconds", Int64(exactly: (run.duration * 1e6).rounded()))
    json.member("transferMicroseconds", Int64(exactly: (run.transferDuration * 1e6).rounded()))
    json.endObject()
  }

  // MARK: Links

  private mutating func write(_ link: FetchedLink, _ index: Int, _ party: ComparisonParty) {
    let summary = link.summary
    let cells = LinkCells(link, party)
    let device = summary.sensor == .local ? summary.localAddress : summary.peerIdentity
    json.beginObject()
    json.member("link", summary.number)
    json.member("capture", link.capture)
    json.member("device", device?.description)
    json.member("startSeen", summary.start != nil)
    json.member("firstFrame", summary.firstFrame)
    json.member("lastFrame", summary.lastFrame)
    json.member("start", times.timestamp(summary.firstTime))
    json.member("durationMicroseconds", summary.end.time - summary.firstTime)
    json.member("security", cells.text(.security, nil))
    json.member("encrypted", summary.security.firstOn != nil)
    json.member("subscribed", cells.text(.subscriptions, nil))
    json.member("end", StoryWriter(Terminal(), .utc).ending(summary))
    json.member("unreadableRecords", link.unreadableRecords)
    json.member("opaqueRecords", link.opaqueRecords)
    strings("unseen", unseen(link))
    json.key("procedures")
    json.beginArray()
    for (position, entry) in summary.procedures.enumerated() { write(entry, link.octets[position], summary) }
    json.endArray()
    json.key("findings")
    json.beginArray()
    for finding in party.findings.all(ofLink: index) {
      json.beginObject()
      members(of: finding)
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }

  private mutating func members(of finding: Finding) {
    json.member("rule", finding.rule.description)
    json.member("level", finding.level.name)
    json.member("fault", finding.fault.rawValue)
    json.member("procedure", finding.procedure.map { $0 + 1 })
    json.member("frame", finding.frames.first)
    json.member("message", finding.message)
  }

  private func unseen(_ link: FetchedLink) -> [String] {
    let all: [VisibilityFacts] = [.start, .end, .bothDirections, .noLoss, .whole]
    return all.filter { !link.facts.contains($0) }.map(\.reason)
  }

  private mutating func write(_ entry: ProcedureSummary, _ octets: UInt64, _ summary: LinkSummary) {
    let procedure = entry.procedure
    json.beginObject()
    json.member("request", ComparisonWords.request(entry))
    json.key("octets")
    let request = unsafe entry.requestOctets.span.bytes
    json.value(hexOctetsOf: request)
    json.member("command", entry.isCommand)
    json.member("requestFrame", entry.requestFrame)
    json.member("resultFrame", entry.resultFrame == 0 ? nil : entry.resultFrame)
    json.member("result", OutcomeText.full(procedure, sensor: summary.sensor, end: summary.end.cause))
    json.member("records", procedure.records)
    json.member("contexts", procedure.contexts)
    json.member("recordOctets", octets)
    ranges("numbers", procedure.sequences)
    json.member("durationMicroseconds", procedure.endTime - procedure.startTime)
    json.member("medianPauseMicroseconds", procedure.gaps.count > 0 ? procedure.gaps.median : nil)
    json.member("longestPauseMicroseconds", procedure.gaps.count > 0 ? procedure.gaps.longest : nil)
    json.member("longestPauseFrame", procedure.gaps.count > 0 ? procedure.gaps.longestFrame : nil)
    json.endObject()
  }

  // MARK: Devices

  private mutating func write(_ device: DeviceComparison) {
    let one = device.first.map { comparison.fetches.first.devices[$0] }
    let other = device.second.map { comparison.fetches.second.devices[$0] }
    let address = one?.address ?? other?.address
    json.beginObject()
    json.member("address", address?.description)
    json.member("addressType", address?.kind.rawValue)
    json.key("name")
    if let name = one?.name ?? other?.name { json.value(utf8: name) } else { json.null() }
    json.member("common", device.alignment.common)
    json.member("differing", device.alignment.changeCount)
    json.member("renumbered", device.alignment.renumbered)
    json.key("first")
    write(device.alignment.first, one)
    json.key("second")
    write(device.alignment.second, other)
    json.key("missingFromFirst")
    write(device.missingFromFirst, comparison.fetches.first, comparison.first)
    json.key("missingFromSecond")
    write(device.missingFromSecond, comparison.fetches.second, comparison.second)
    json.key("onlyFirst")
    write(device.alignment.onlyFirst, one)
    json.key("onlySecond")
    write(device.alignment.onlySecond, other)
    json.key("different")
    write(device.alignment.changes, one, other)
    json.key("parting")
    write(device.parting)
    json.endObject()
  }

  private mutating func write(_ side: AlignedSide, _ device: FetchedDevice?) {
    json.beginObject()
    json.member("present", device != nil)
    json.member("identityAssumed", device?.isAssumed ?? false)
    json.member("records", side.records)
    json.member("deliveries", device?.records.count ?? 0)
    ranges("numbers", side.numbers)
    json.member("withoutCompletion", side.unfinishedCount)
    ranges("numbersWithoutCompletion", side.unfinished)
    json.member("completionUnknown", side.uncertainCount)
    json.member("clipped", side.clippedCount)
    json.member("orphanContexts", device?.orphanContexts ?? 0)
    json.member("twiceWithinProcedure", side.repetitions.withinProcedure)
    ranges("numbersTwiceWithinProcedure", side.repetitions.numbersWithinProcedure)
    json.member("againOnSameLink", side.repetitions.onSameLink)
    json.member("againOnLaterLink", side.repetitions.onLaterLink)
    ranges("numbersFetchedAgain", side.repetitions.numbersFetchedAgain)
    json.key("changed")
    write(side.changes, device, device)
    json.endObject()
  }

  private mutating func write(_ groups: [MissingRecords], _ side: ComparedSide, _ party: ComparisonParty) {
    json.beginArray()
    for group in groups {
      json.beginObject()
      json.member("cause", ComparisonWords.identifier(group.cause))
      json.member("certain", group.cause.isCertain)
      json.member("count", group.count)
      ranges("numbers", group.numbers)
      json.member("frame", ComparisonWords.frame(group.cause, side)?.frame)
      json.member("link", ComparisonWords.frame(group.cause, side).map { side.links[$0.link].summary.number })
      json.member("capture", ComparisonWords.frame(group.cause, side).map { side.links[$0.link].capture })
      json.member("procedure", group.cause.procedure.map { $0.procedure + 1 })
      json.member("message", ComparisonWords.cause(group.cause, side, party))
      json.endObject()
    }
    json.endArray()
  }

  private mutating func write(_ indices: [UInt32], _ device: FetchedDevice?) {
    json.beginArray()
    if let device {
      for index in indices {
        let record = device.records[Int(index)]
        json.beginObject()
        json.member("sequence", record.sequenceNumber)
        json.member("baseTime", record.baseTime?.description)
        json.member("concentration", record.concentration?.description)
        json.member("frame", record.frame == 0 ? nil : record.frame)
        json.endObject()
      }
    }
    json.endArray()
  }

  private mutating func write(_ changes: [ChangedRecord], _ one: FetchedDevice?, _ other: FetchedDevice?) {
    json.beginArray()
    if let one, let other {
      for change in changes {
        let left = one.records[change.first]
        let right = other.records[change.second]
        json.beginObject()
        json.member("sequence", left.sequenceNumber)
        json.member("baseTime", left.baseTime?.description)
        json.member("firstFrame", left.frame == 0 ? nil : left.frame)
        json.member("secondFrame", right.frame == 0 ? nil : right.frame)
        json.key("fields")
        json.beginArray()
        for field in change.fields.fields {
          json.beginObject()
          json.member("field", field.name)
          json.member("first", FieldText.of(field, left, in: one))
          json.member("second", FieldText.of(field, right, in: other))
          json.endObject()
        }
        json.endArray()
        json.endObject()
      }
    }
    json.endArray()
  }

  private mutating func write(_ parting: FetchParting?) {
    guard let parting else { return json.null() }
    json.beginObject()
    json.member("sharedSteps", parting.sharedSteps)
    for (name, step, party, side) in [
      ("first", parting.first, comparison.first, comparison.fetches.first),
      ("second", parting.second, comparison.second, comparison.fetches.second),
    ] {
      json.key(name)
      guard let step else {
        json.null()
        continue
      }
      json.beginObject()
      json.member("step", StepTable.name(step.content))
      json.member("link", side.links[step.link].summary.number)
      json.member("capture", side.links[step.link].capture)
      json.member("procedure", step.procedure.map { $0 + 1 })
      json.member("frame", step.frame)
      json.key("findings")
      json.beginArray()
      for entry in StepTable.findings(at: step, party, side) {
        json.beginObject()
        json.member("link", side.links[entry.link].summary.number)
        json.member("capture", side.links[entry.link].capture)
        members(of: entry.finding)
        json.endObject()
      }
      json.endArray()
      json.endObject()
    }
    json.endObject()
  }

  // MARK: Values

  private mutating func strings(_ name: String, _ texts: [String]) {
    json.key(name)
    json.beginArray()
    for text in texts { json.value(text) }
    json.endArray()
  }

  private mutating func ranges(_ name: String, _ set: SequenceSet) {
    json.key(name)
    json.beginArray()
    for range in set.ranges {
      json.beginArray()
      json.value(range.lowerBound)
      json.value(range.upperBound)
      json.endArray()
    }
    json.endArray()
  }
}

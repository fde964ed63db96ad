import BluetoothWire
import HealthProfiles
import LinkTrace

extension StoryWriter {
  private static let indent = String(repeating: " ", count: 16)

  /// One procedure: the row, and below it what is worth knowing of it.
  ///
  /// - Parameter isOneOfSeveral: true where the link has several control points, so that its own is named.
  mutating func write(
    _ entry: ProcedureSummary,
    ordinal: Int,
    _ mixture: ProcedureMixtures.Mixture,
    isOneOfSeveral: Bool,
    of summary: LinkSummary,
    to output: inout OutputBuffer
  ) {
    let procedure = entry.procedure
    let (sensor, hidden) = (summary.sensor, summary.hidden)
    let request = RecordAccessRequest(octets: entry.requestOctets, dialect: procedure.dialect)
    var label = "    racp \(ordinal)"
    label += String(repeating: " ", count: max(1, 16 - label.utf8.count))
    var what = RequestText.of(entry)
    if isOneOfSeveral { what += " on 0x" + hex(UInt64(procedure.controlPoint), digits: 4) }
    let outcome = OutcomeText.full(procedure, sensor: sensor, end: summary.end.cause)
    let place =
      Self.span(procedure.startTime, procedure.endTime)
      + "   #\(entry.frames.lowerBound)–#\(entry.frames.upperBound)"
    let begin =
      padded(TextEscaping.terminal(what), isOneOfSeveral ? 28 : 22)
      + padded(delivered(entry, mixture, hidden), isOneOfSeveral ? 22 : 24)
    let used = TextColumns.count(label) + TextColumns.count(begin)
    let role = RoleText.role(of: procedure.outcome)
    if used + TextColumns.count(outcome) + 3 + TextColumns.count(place) <= terminal.width {
      output.append(label + begin)
      output.append(outcome, as: role, on: terminal)
      output.append("   " + place)
      output.newline()
    } else {
      let row = used + TextColumns.count(place) <= terminal.width ? begin + place : begin.trimmed + "   " + place
      line(label, row, .plain, to: &output)
      line(Self.indent, outcome, role, to: &output)
    }
    for detail in details(entry, request, mixture) { line(Self.indent, detail.text, detail.role, to: &output) }
  }

  /// Text in a column of at least `width`, and a blank; what is longer is not cut and stands clear of what follows.
  private func padded(_ text: String, _ width: Int) -> String {
    let blanks = width + 1 - TextColumns.count(text)
    return text + String(repeating: " ", count: blanks < 2 && !text.isEmpty ? 3 : blanks)
  }

  private func delivered(
    _ entry: ProcedureSummary,
    _ mixture: ProcedureMixtures.Mixture,
    _ hidden: HiddenTraffic?
  ) -> String {
    let procedure = entry.procedure
    if case .count = procedure.outcome { return "" }
    guard procedure.opCode == .report || procedure.records > 0 else { return "" }
    if mixture.isFirst { return Self.amount(mixture.records, mixture.contexts) }
    if let first = mixture.ordinals.first { return "mixed with racp \(first)" }
    guard procedure.records + procedure.contexts > 0 else { return hidden?.hidesValues ?? false ? "not known" : "none" }
    return Self.amount(procedure.records, procedure.contexts)
  }

  private static func amount(_ records: UInt32, _ contexts: UInt32) -> String {
    let text = countText(records, "record")
    return contexts == 0 ? text : text + ", \(countText(contexts, "context"))"
  }

  private func details(
    _ entry: ProcedureSummary,
    _ request: RecordAccessRequest,
    _ mixture: ProcedureMixtures.Mixture
  ) -> [(text: String, role: TextRole)] {
    let procedure = entry.procedure
    var lines: [(String, TextRole)] = []
    if entry.isRequestCut && !entry.requestOctets.isEmpty {
      lines.append(("what is left of it: " + entry.requestOctets.map { hex([$0]) }.joined(separator: " "), .dim))
    } else if !request.isWellFormed && !entry.isRequestCut {
      lines.append((TextEscaping.terminal(request.summary), .warning))
      if let text = Self.readableText(entry.requestOctets) {
        lines.append(("these octets are the text \"\(text)\", not the numbers it spells", .warning))
      }
    }
    if entry.isCommand { lines.append(("sent as a Write Command, which the sensor need not answer", .warning)) }
    if let other = procedure.overlaps, request.opCode != .abort {
      lines.append(("sent while racp \(other + 1) was running", .bad))
    }
    if mixture.isFirst {
      let all = mixture.ordinals.map(String.init).joined(separator: " and ")
      lines.append(("racp \(all) ran at once: their records came mixed and are counted together", .warning))
    }
    if procedure.records + procedure.contexts > 1 { lines.append((pauses(procedure), .dim)) }
    if procedure.trailingRecords > 0 {
      let amount = Self.amount(procedure.trailingRecords, procedure.trailingContexts)
      lines.append(("\(amount) came after its end", .warning))
    }
    lines += numbers(entry, mixture)
    if let change = entry.numbering.change {
      let text = "number \(change.new.sequence) came again in frame \(change.new.frame) with another time or value"
      lines.append((text, .warning))
    }
    if procedure.descents > entry.numbering.earlierRuns.count && mixture.ordinals.isEmpty {
      let count = Int(procedure.descents) - entry.numbering.earlierRuns.count
      lines.append(("\(countText(count, "time")) a lower number after a higher one", .warning))
    }
    if procedure.resultNamesOther { lines.append(("its result names another op code than the request", .warning)) }
    if procedure.startedBeforeAnswer {
      lines.append(
        procedure.answer == nil
          ? ("the request itself was never answered", .warning) : ("began before its Write Response", .dim)
      )
    }
    if procedure.result != nil && procedure.confirmation == nil {
      lines.append(("the result was not confirmed", .warning))
    }
    return lines
  }

  /// The sequence numbers that came, and how many came again: of procedures that ran together all with the first one.
  private func numbers(
    _ entry: ProcedureSummary,
    _ mixture: ProcedureMixtures.Mixture
  ) -> [(text: String, role: TextRole)] {
    var lines: [(String, TextRole)] = []
    guard mixture.ordinals.isEmpty else {
      guard mixture.isFirst else { return [] }
      if let text = sequence(mixture.numbers, isComplete: false) { lines.append(text) }
      let count = UInt64(mixture.records) - min(UInt64(mixture.records), mixture.numbers.count)
      if count > 0 && mixture.numbers.count > 0 {
        lines.append(("\(countText(count, "record")) delivered again within them", .warning))
      }
      return lines
    }
    let numbering = entry.numbering
    let isComplete = entry.procedure.outcome == .success
    let text =
      numbering.earlierRuns.isEmpty
      ? sequence(entry.procedure.sequences, isComplete: isComplete) : restarted(numbering)
    if let text { lines.append(text) }
    if numbering.repeats > 0 {
      lines.append(("\(countText(numbering.repeats, "record")) delivered again within it", .warning))
    }
    return lines
  }

  private func pauses(_ procedure: Procedure) -> String {
    var text = "pauses " + TimeText.duration(procedure.gaps.median) + " median, "
    text += TimeText.duration(procedure.gaps.longest) + " longest"
    if procedure.gaps.longestFrame > 0 { text += " (#\(procedure.gaps.longestFrame))" }
    if let before = procedure.gaps.beforeResult, before >= 0 {
      text += ", " + TimeText.duration(before) + " before the result"
    }
    return text
  }

  private func sequence(_ numbers: SequenceSet, isComplete: Bool) -> (text: String, role: TextRole)? {
    guard let low = numbers.minimum, let high = numbers.maximum else { return nil }
    let gaps = numbers.gaps
    var text = "sequence \(Self.range(low...high))"
    if gaps.isEmpty {
      if low != high { text += isComplete ? " complete" : " without a gap" }
      return (text, .dim)
    }
    text += " without " + gaps.prefix(8).map(Self.range).joined(separator: ", ") + (gaps.count > 8 ? ", …" : "")
    return (text, .warning)
  }

  /// The numbers of a report in which the count begins anew.
  private func restarted(_ numbering: ProcedureNumbering) -> (text: String, role: TextRole)? {
    let ranges = numbering.runs.compactMap { run -> String? in
      guard let low = run.sequences.minimum, let high = run.sequences.maximum else { return nil }
      return Self.range(low...high) + (run.sequences.gaps.isEmpty ? "" : " with gaps")
    }
    let named = ranges.prefix(4).joined(separator: ", then ") + (ranges.count > 4 ? ", …" : "")
    return ("sequence " + named + Self.beginnings(numbering.runs), .warning)
  }

  /// What the octets spell where they are the digits of a request, written as text.
  private static func readableText(_ octets: [UInt8]) -> String? {
    guard octets.count >= 4,
      octets.allSatisfy({ ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x41 && $0 <= 0x46) || ($0 >= 0x61 && $0 <= 0x66) })
    else { return nil }
    return String(decoding: octets, as: UTF8.self)
  }

  /// Where there is no procedure that records belong to: one may be there that nothing shows to be one.
  static func place(hidesRequests: Bool) -> String {
    hidesRequests ? "that can be recognised" : "of this capture"
  }

  /// Records and results that belong to no request of the capture.
  mutating func write(strays summary: LinkSummary, to output: inout OutputBuffer) {
    let stray = summary.strayRecords
    if stray.count > 0 {
      var text = "\(stray.count) outside any procedure " + Self.place(hidesRequests: summary.hidesRequests)
      if let low = stray.sequences.minimum, let high = stray.sequences.maximum {
        let gaps = stray.sequences.gaps
        text += ", sequence \(Self.range(low...high)) "
        text += gaps.isEmpty ? "without a gap" : "without " + gaps.prefix(6).map(Self.range).joined(separator: ", ")
      }
      line("    records     ", text + "   #\(stray.firstFrame)–#\(stray.lastFrame)", .warning, to: &output)
    }
    let isWhole = summary.start != nil && summary.counts.lostPackets == 0 && summary.counts.brokenFragments == 0
    let reason = isWhole ? "to no request that is open" : "to a request that is not in the capture"
    for (frame, octets) in summary.unaskedResults.prefix(4) {
      let result = RecordAccessResponse(octets: octets).summary
      line("    result      ", "\(result)   #\(frame), \(reason)", .plain, to: &output)
    }
  }
}

extension String {
  /// Without the blanks at its end.
  fileprivate var trimmed: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}

import BluetoothWire
import FetchComparison
import LinkTrace
import ProtocolLint

/// Writes a comparison for a person: the answer, the two sides, the readings, the fetches step by step.
public struct ComparisonText {
  let terminal: Terminal
  private let zone: TimeText.Zone
  private let story: StoryWriter

  /// Records told one by one.
  private static let exampleLimit = 6

  public init(_ terminal: Terminal, _ zone: TimeText.Zone) {
    self.terminal = terminal
    self.zone = zone
    story = StoryWriter(terminal, zone)
  }

  public func write(_ comparison: Comparison, to output: inout OutputBuffer) {
    for (index, sentence) in ComparisonAnswer(comparison).sentences.enumerated() {
      let role = index == 0 && sentence.role == .plain ? .heading : sentence.role
      story.line("", sentence.text, role, indent: 2, to: &output)
    }
    output.newline()
    write(comparison.first, comparison.fetches.first, to: &output)
    write(comparison.second, comparison.fetches.second, to: &output)
    for device in comparison.devices { write(device, comparison, to: &output) }
  }

  // MARK: The sides

  private func write(_ party: ComparisonParty, _ side: ComparedSide, to output: inout OutputBuffer) {
    let head = "\(party.letter)   "
    if party.isStore {
      var text = TextEscaping.terminal(party.title) + "   a store: records without the packets they came in"
      if party.unreadableRows > 0 { text += "   \(party.unreadableRows) rows are no measurements" }
      story.line(head, text, .heading, to: &output)
      return
    }
    for (index, facts) in party.captures.enumerated() {
      let links = side.links.filter { $0.capture == index }
      var parts = [TextEscaping.terminal(facts.name), facts.format, facts.frameText]
      parts.append(countText(links.count, "link"))
      let isCut = links.contains { $0.summary.counts.clippedPDUs + $0.summary.counts.emptiedPDUs > 0 }
      if facts.gaps.isEmpty && !isCut { parts.append("nothing missing") }
      story.line(index == 0 ? head : "    ", parts.joined(separator: "   "), .heading, to: &output)
      for gap in facts.gaps { story.line("    ", gap, .warning, to: &output) }
    }
    for reason in unseen(side, party) { story.line("    cannot say  ", reason, .dim, to: &output) }
  }

  /// What the captures of a side cannot show of its links; the first few.
  private func unseen(_ side: ComparedSide, _ party: ComparisonParty) -> [String] {
    var reasons: [String] = []
    for link in side.links {
      let summary = link.summary
      guard summary.sensor != nil || !summary.procedures.isEmpty else { continue }
      let place = "link \(summary.number)" + (party.captures.count > 1 ? " of capture \(link.capture + 1)" : "")
      if summary.start == nil {
        reasons.append("what came before: the capture starts in the middle of \(place)")
      }
      if link.unreadableRecords > 0 {
        let count = link.unreadableRecords
        reasons.append(
          "which \(ComparisonWords.readings(count)) of \(place) are: the logger cut them, or they are malformed"
        )
      }
      if summary.counts.clippedPDUs > 0 {
        reasons.append("the content of readings that the logger cut on \(place): they are only known to have come")
      }
      if summary.counts.lostPackets > 0 {
        reasons.append("what was in \(summary.counts.lostPackets) packets lost on \(place)")
      }
      if summary.counts.brokenFragments > 0 {
        reasons.append("what was in \(summary.counts.brokenFragments) packets of \(place) that did not come whole")
      }
      if summary.end.cause == .captureEnded || summary.end.cause == .superseded {
        reasons.append("what came after: the end of \(place) is not in the capture")
      }
      if link.opaqueRecords > 0 {
        reasons.append("what \(link.opaqueRecords) records of \(place) hold: their profile is not decoded")
      }
    }
    let limit = 6
    return reasons.count > limit ? reasons.prefix(limit) + ["\(reasons.count - limit) things more"] : reasons
  }

  // MARK: A device

  private func write(_ device: DeviceComparison, _ comparison: Comparison, to output: inout OutputBuffer) {
    output.newline()
    let one = device.first.map { comparison.fetches.first.devices[$0] }
    let other = device.second.map { comparison.fetches.second.devices[$0] }
    story.line("", title(one, other, comparison), .heading, indent: 2, to: &output)
    readings(device, comparison, to: &output)
    missing(device.missingFromFirst, comparison.first, comparison.fetches.first, other, to: &output)
    missing(device.missingFromSecond, comparison.second, comparison.fetches.second, one, to: &output)
    if let one, let other {
      changes(device.alignment.changes, device.alignment.changeCount, one, other, comparison, to: &output)
    }
    own(device.alignment.first, one, comparison.first, comparison.fetches.first, to: &output)
    own(device.alignment.second, other, comparison.second, comparison.fetches.second, to: &output)
    if device.alignment.renumbered > 0 {
      let text =
        "\(device.alignment.renumbered) numbers stand for other base times on the two sides: the meter was reset or "
        + "its clock set between them"
      story.line("  renumbered    ", text, .warning, to: &output)
    }
    StepTable(terminal, zone).write(device, comparison, to: &output)
  }

  private func title(_ one: FetchedDevice?, _ other: FetchedDevice?, _ comparison: Comparison) -> String {
    func text(_ device: FetchedDevice) -> String {
      var text = device.address.map { "\($0) (\($0.kind.rawValue))" } ?? "unknown device"
      if let name = device.name { text += "  \"\(TextEscaping.terminal(name))\"" }
      return text
    }
    switch (one, other) {
    case (let one?, let other?):
      if comparison.fetches.ignoresIdentity && one.address != other.address {
        return text(one) + "   in A, " + text(other) + " in B, compared as one"
      }
      var title = text(one.name == nil ? other : one)
      for (letter, device) in [("A", one), ("B", other)] where device.isAssumed {
        title += "   taken for the device of \(letter), whose capture does not show its address"
      }
      return title
    case (let one?, nil): return text(one) + "   only in A"
    case (nil, let other?): return text(other) + "   only in B"
    case (nil, nil): return ""
    }
  }

  private func readings(_ device: DeviceComparison, _ comparison: Comparison, to output: inout OutputBuffer) {
    let alignment = device.alignment
    for (letter, side, compared, fetched) in [
      ("A", alignment.first, comparison.fetches.first, device.first),
      ("B", alignment.second, comparison.fetches.second, device.second),
    ] {
      var parts = [ComparisonWords.readings(side.records)]
      if !side.numbers.isEmpty {
        parts[0] += ", number" + (side.numbers.count == 1 ? " " : "s ") + ComparisonWords.numbers(side.numbers)
      }
      if side.unfinishedCount > 0 {
        let numbers = ComparisonWords.numbers(side.unfinished, limit: 4)
        parts.append("\(side.unfinishedCount) received without completion: \(numbers)")
      }
      if side.uncertainCount > 0 {
        parts.append("\(side.uncertainCount) in a report whose end is not in the capture")
      }
      if side.clippedCount > 0 { parts.append("\(side.clippedCount) cut by the logger") }
      let links = fetched.map { compared.devices[$0].links } ?? []
      let unreadable = links.reduce(0) { $0 + Int(compared.links[$1].unreadableRecords) }
      if unreadable > 0 { parts.append("\(unreadable) more whose number cannot be read") }
      story.line("  in \(letter)          ", parts.joined(separator: "   "), .plain, to: &output)
      again(side.repetitions, compared, to: &output)
    }
    let same = alignment.common - alignment.changeCount
    story.line(
      "  in both       ",
      "\(alignment.common)" + (alignment.changeCount > 0 ? ", of which \(same) are the same" : ""),
      .plain,
      to: &output
    )
  }

  private func again(_ repetitions: Repetitions, _ side: ComparedSide, to output: inout OutputBuffer) {
    guard repetitions.count > 0 else { return }
    var parts: [String] = []
    if repetitions.withinProcedure > 0 {
      parts.append(
        "\(repetitions.withinProcedure) twice \(ComparisonWords.ranAtOnce(side) ? "from reports that ran at once" : "within one report"), first #\(repetitions.firstFrame): "
          + ComparisonWords.numbers(repetitions.numbersWithinProcedure, limit: 4)
      )
    }
    if repetitions.onSameLink > 0 { parts.append("\(repetitions.onSameLink) asked for again on the same link") }
    if repetitions.onLaterLink > 0 { parts.append("\(repetitions.onLaterLink) fetched again on a later link") }
    story.line("    again       ", parts.joined(separator: "   "), .warning, to: &output)
  }

  private func missing(
    _ groups: [MissingRecords],
    _ party: ComparisonParty,
    _ side: ComparedSide,
    _ holder: FetchedDevice?,
    to output: inout OutputBuffer
  ) {
    for group in groups {
      let label = group.cause.isCertain ? "  missing in \(party.letter)  " : "  not in \(party.letter)      "
      var text = "\(group.count): " + ComparisonWords.numbers(group.numbers)
      if let time = holder?.records[group.example].baseTime { text += ", the first of \(time)" }
      text += "   " + ComparisonWords.cause(group.cause, side, party)
      if let place = ComparisonWords.place(group.cause, side, party) { text += "   " + place }
      story.line(label, text, group.cause.isCertain ? .bad : .warning, to: &output)
    }
  }

  // MARK: Contents

  private func changes(
    _ changes: [ChangedRecord],
    _ count: Int,
    _ one: FetchedDevice,
    _ other: FetchedDevice,
    _ comparison: Comparison,
    to output: inout OutputBuffer
  ) {
    guard count > 0 else { return }
    for (index, change) in changes.prefix(Self.exampleLimit).enumerated() {
      let label = index == 0 ? "  different     " : "                "
      let text = self.text(change, one, other, comparison.fetches.first, comparison.fetches.second, "A", "B")
      story.line(label, text, .bad, to: &output)
    }
    more(changes, count, to: &output)
  }

  private func own(
    _ side: AlignedSide,
    _ device: FetchedDevice?,
    _ party: ComparisonParty,
    _ compared: ComparedSide,
    to output: inout OutputBuffer
  ) {
    guard side.changeCount > 0, let device else { return }
    for (index, change) in side.changes.prefix(Self.exampleLimit).enumerated() {
      let label = index == 0 ? "  changed in \(party.letter)  " : "                "
      story.line(label, text(change, device, device, compared, compared, "first", "then"), .bad, to: &output)
    }
    more(side.changes, side.changeCount, to: &output)
  }

  private func more(_ changes: [ChangedRecord], _ count: Int, to output: inout OutputBuffer) {
    guard count > Self.exampleLimit else { return }
    var numbers: [String] = []
    for field in RecordField.allCases {
      let met = changes.count { $0.fields.contains(RecordField.Set(field)) }
      if met > 0 { numbers.append("\(field.name) \(met)") }
    }
    let text = "… \(count - Self.exampleLimit) more; by field: " + numbers.joined(separator: ", ")
    story.line("                ", text, .dim, to: &output)
  }

  /// `5   concentration: 5.5 mmol/L in A #12, 5.6 mmol/L in B #14`.
  private func text(
    _ change: ChangedRecord,
    _ one: FetchedDevice,
    _ other: FetchedDevice,
    _ firstSide: ComparedSide,
    _ secondSide: ComparedSide,
    _ first: String,
    _ second: String
  ) -> String {
    let left = one.records[change.first]
    let right = other.records[change.second]
    let fields = change.fields.fields.map { field in
      guard let from = FieldText.of(field, left, in: one) ?? FieldText.of(field, right, in: other).map({ _ in "none" })
      else { return field.name }
      return "\(field.name): \(first) \(from), \(second) \(FieldText.of(field, right, in: other) ?? "none")"
    }
    var text = "\(left.sequenceNumber)   " + fields.joined(separator: "   ")
    if left.frame > 0 || right.frame > 0 {
      text += "   " + [left.frame, right.frame].map { $0 == 0 ? "store" : "#\($0)" }.joined(separator: " / ")
    }
    return text
  }
}

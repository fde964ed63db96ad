import FetchComparison
import LinkTrace

/// The answer in a sentence or two: who misses what, and where it went wrong.
struct ComparisonAnswer {
  /// Sentences, each with what it is to the reader.
  private(set) var sentences: [(text: String, role: TextRole)] = []

  init(_ comparison: Comparison) {
    let fetches = comparison.fetches
    guard fetches.hasRecords else {
      sentences.append(("Nothing to compare: neither side holds a reading.", .warning))
      return
    }
    if fetches.alignsNothing && explainsWhy(comparison) { return }
    let devices = comparison.devices
    missing(comparison.first, comparison.second, fetches.first, devices.map { Lack($0, fromFirst: true) })
    missing(comparison.second, comparison.first, fetches.second, devices.map { Lack($0, fromFirst: false) })
    different(comparison, devices)
    if sentences.isEmpty {
      let count = devices.reduce(0) { $0 + $1.alignment.common }
      var numbers = SequenceSet()
      for device in devices { numbers.formUnion(device.alignment.first.numbers) }
      let text =
        devices.count == 1 && count > 1 ? ": \(ComparisonWords.numbers(numbers))." : "."
      sentences.append(("A and B hold the same \(ComparisonWords.readings(count))" + text, .good))
    }
    unfinished(comparison.first, devices.map(\.alignment.first))
    unfinished(comparison.second, devices.map(\.alignment.second))
    again(comparison, devices)
  }

  /// What one side lacks of one device.
  private struct Lack {
    var groups: [MissingRecords]
    /// Different records of the other side.
    var held: Int

    init(_ device: DeviceComparison, fromFirst: Bool) {
      groups = fromFirst ? device.missingFromFirst : device.missingFromSecond
      held = fromFirst ? device.alignment.second.records : device.alignment.first.records
    }
  }

  /// Says why no reading is on both sides; false where that is for the requests to say.
  private mutating func explainsWhy(_ comparison: Comparison) -> Bool {
    let counts = comparison.devices.reduce((0, 0)) {
      ($0.0 + $1.alignment.first.records, $0.1 + $1.alignment.second.records)
    }
    let text =
      "Nothing aligns: A holds \(ComparisonWords.readings(counts.0)), B \(counts.1), and none is on both sides."
    sentences.append((text, .bad))
    let addresses = Set(comparison.fetches.first.devices.compactMap(\.address))
    let others = Set(comparison.fetches.second.devices.compactMap(\.address))
    let renumbered = comparison.devices.reduce(0) { $0 + $1.alignment.renumbered }
    if renumbered > 0 {
      let text =
        "\(renumbered) numbers are on both sides with other base times: the meter was reset between the fetches, its "
        + "clock was set, or they are two meters."
      sentences.append((text, .plain))
      return true
    }
    if comparison.fetches.ignoresIdentity {
      let text =
        "Base time and sequence number still align where the identity is ignored: two meters share them only where "
        + "they were set and used alike."
      sentences.append((text, .plain))
      return true
    }
    guard addresses.isDisjoint(with: others), !addresses.isEmpty, !others.isEmpty else { return false }
    sentences.append(("They are of different devices; --ignore-identity compares two meters of one model.", .plain))
    return true
  }

  private mutating func missing(
    _ party: ComparisonParty,
    _ other: ComparisonParty,
    _ side: ComparedSide,
    _ lacks: [Lack]
  ) {
    let groups = lacks.flatMap(\.groups)
    let held = lacks.reduce(0) { $0 + $1.held }
    let certain = groups.filter(\.cause.isCertain)
    let uncertain = groups.filter { !$0.cause.isCertain }
    if !certain.isEmpty {
      let count = certain.reduce(0) { $0 + $1.count }
      let part =
        count == held ? "all \(ComparisonWords.readings(held))" : "\(count) of the \(ComparisonWords.readings(held))"
      var text = "\(party.letter) (\(party.shortTitle)) misses \(part) in \(other.letter)"
      text += Self.numbers(certain, isOne: lacks.count == 1) + "."
      sentences.append((text, .bad))
      if let worst = certain.first {
        let place = ComparisonWords.place(worst.cause, side, party).map { " at " + $0 } ?? ""
        let cause = ComparisonWords.cause(worst.cause, side, party)
        sentences.append(("It went wrong\(place): \(cause).", .warning))
      }
    }
    for group in uncertain {
      let part =
        group.count == held
        ? "None of the \(ComparisonWords.readings(held)) in \(other.letter) is"
        : "\(group.count) of the \(ComparisonWords.readings(held)) in \(other.letter) "
          + (group.count == 1 ? "is not" : "are not")
      var text = "\(part) in \(party.letter) (\(party.shortTitle))" + Self.numbers([group], isOne: lacks.count == 1)
      text += ": " + ComparisonWords.cause(group.cause, side, party)
      text += ComparisonWords.place(group.cause, side, party).map { " (\($0))." } ?? "."
      sentences.append((text, .warning))
    }
  }

  private static func numbers(_ groups: [MissingRecords], isOne: Bool) -> String {
    guard isOne else { return "" }
    var numbers = SequenceSet()
    for group in groups { numbers.formUnion(group.numbers) }
    return ", number" + (numbers.count == 1 ? " " : "s ") + ComparisonWords.numbers(numbers, limit: 4)
  }

  private mutating func different(_ comparison: Comparison, _ devices: [DeviceComparison]) {
    let count = devices.reduce(0) { $0 + $1.alignment.changeCount }
    guard count > 0 else { return }
    var fields: RecordField.Set = []
    for device in devices { for change in device.alignment.changes { fields.formUnion(change.fields) } }
    let names = fields.fields.map(\.name).joined(separator: ", ")
    sentences.append(("\(ComparisonWords.readings(count)) differ\(count == 1 ? "s" : "") in content: \(names).", .bad))
  }

  private mutating func unfinished(_ party: ComparisonParty, _ sides: [AlignedSide]) {
    let count = sides.reduce(0) { $0 + $1.unfinishedCount }
    guard count > 0 else { return }
    let all = sides.reduce(0) { $0 + $1.records }
    let which = count == all ? "All \(ComparisonWords.readings(count))" : ComparisonWords.readings(count)
    let text =
      "\(which) in \(party.letter) came without completion: only in a report that did not end with success."
    sentences.append((text, .warning))
  }

  private mutating func again(_ comparison: Comparison, _ devices: [DeviceComparison]) {
    for (party, side, totals) in [
      (comparison.first, comparison.fetches.first, devices.map(\.alignment.first.repetitions)),
      (comparison.second, comparison.fetches.second, devices.map(\.alignment.second.repetitions)),
    ] {
      let within = totals.reduce(UInt64(0)) { $0 + $1.withinProcedure }
      let later = totals.reduce(UInt64(0)) { $0 + $1.onLaterLink + $1.onSameLink }
      if within > 0 {
        let place = ComparisonWords.ranAtOnce(side) ? "from reports that ran at once" : "within one report"
        let text = "\(party.letter) received \(ComparisonWords.readings(within)) twice \(place)."
        sentences.append((text, .warning))
      }
      if later > 0 {
        sentences.append(("\(party.letter) fetched \(ComparisonWords.readings(later)) again.", .warning))
      }
    }
  }
}

import BluetoothWire
import HealthProfiles
import LinkTrace

extension StoryWriter {
  /// What came over from a device on all its links, and what is known to be missing.
  mutating func write(totals device: StoryDevice, to output: inout OutputBuffer) {
    line("  records     ", records(device), .plain, to: &output)
    if let deleted = device.progress.deleted { line("  deleted     ", Self.text(deleted), .bad, to: &output) }
    if let left = device.progress.leftBefore { line("  missing     ", Self.text(left), .bad, to: &output) }
    if let number = device.numbers.changed {
      line("  changed     ", "number \(number) came again with another time or value", .warning, to: &output)
    }
    if let skipped = device.skipped {
      let (range, were, them) = Self.words(skipped)
      line(
        "  missing     ",
        "\(range) \(were) never asked for: a report broke off before \(them), and the next request began after \(them)",
        .bad,
        to: &output
      )
    } else if device.progress.isUnfinished {
      let reason =
        device.progress.isEndUnknown
        ? "how the last report ended is not captured"
        : device.progress.failure.map { "the last report failed, \($0)" } ?? "the last report did not come to its end"
      line("  missing     ", "unknown: " + reason, .warning, to: &output)
    }
    if let text = shortfall(device) { line("  counted     ", text, .warning, to: &output) }
    let counts = device.findingCounts
    if counts.contains(where: { $0 > 0 }) {
      let words = [(2, "error"), (1, "warning"), (0, "note")].filter { counts[$0.0] > 0 }
        .map { countText(counts[$0.0], $0.1) }.joined(separator: ", ")
      line("  findings    ", words, counts[2] > 0 ? .bad : .warning, to: &output)
    }
  }

  /// A count that is higher than what came over: a sensor may count what it adds or deletes meanwhile, so that records
  /// are missing only where the numbers or the end of the report say so as well (GLP 4.7.3.2).
  private func shortfall(_ device: StoryDevice) -> String? {
    let delivered = device.numbers.count
    guard let counted = device.progress.counted, UInt64(counted) > delivered, device.opaqueRecords == 0
    else { return nil }
    let hasOpenEnd = device.progress.isUnfinished || device.skipped != nil
    let isMissing = device.numbers.hasGaps || hasOpenEnd || delivered == 0
    return isMissing
      ? "\(counted) stored, of which \(UInt64(counted) - delivered) did not come over"
      : "\(counted) counted, \(delivered) delivered"
  }

  private static func text(_ deletion: FetchProgress.Deletion) -> String {
    guard let amount = deletion.amount else {
      return "records that had not come over: the report of all before had broken off"
    }
    return "\(amount.missing) of the \(amount.counted) records counted, before they had come over"
  }

  private func records(_ device: StoryDevice) -> String {
    guard device.records > 0 || device.strayRecords > 0 else {
      return device.hidden.map(HiddenText.of) ?? "none came over"
    }
    var text: String
    if device.records == 0 {
      text = "\(device.strayRecords), outside any procedure " + Self.place(hidesRequests: device.hidesRequests)
    } else {
      text = "\(device.records)"
      let distinct = device.numbers.totalCount
      if device.records > distinct + device.opaqueRecords {
        text += " delivered, \(distinct) different " + (device.numbers.runs.count > 1 ? "ones" : "numbers")
      }
      if device.contexts > 0 { text += ", \(countText(device.contexts, "context"))" }
      if device.strayRecords > 0 { text += ", \(device.strayRecords) more outside any procedure" }
    }
    if !device.numbers.runs.isEmpty { text += ", sequence " + sequence(device) }
    if device.latest > 0 {
      text += "   base time " + Self.packedTime(device.earliest) + " to " + Self.packedTime(device.latest)
    }
    if device.opaqueRecords > 0 { text += "   (contents not readable)" }
    return text
  }

  private static func text(_ left: FetchProgress.Left) -> String {
    switch left {
    case .skipped(let range):
      let (numbers, were, them) = words(range)
      return "\(numbers) \(were) never asked for before the numbers restarted: a report had broken off before \(them)"
    case .unfinished: return "unknown: the numbers restarted after a report that had not come to its end"
    }
  }

  /// The numbers of each beginning: of more than four the first three and the last.
  private func sequence(_ device: StoryDevice) -> String {
    let runs = device.numbers.runs
    let left = runs.count > 4 ? runs.count - 4 : 0
    var parts: [String] = []
    for (index, run) in runs.enumerated() where left == 0 || index < 3 || index == runs.count - 1 {
      guard let low = run.sequences.minimum, let high = run.sequences.maximum else { continue }
      if left > 0 && index == runs.count - 1 { parts.append("then \(left) more beginnings") }
      let before = index > 0 ? runs[index - 1].sequences : SequenceSet()
      let isAgain = low <= (before.maximum ?? 0) && high >= (before.minimum ?? .max)
      parts.append(
        (index == 0 ? "" : isAgain ? "then again " : "then ") + Self.range(low...high) + " "
          + coverage(run, index, device)
      )
    }
    return parts.joined(separator: ", ") + Self.beginnings(runs)
  }

  /// Why there are several runs of numbers: a sensor whose 16 bits are used up begins anew or rolls over, which it
  /// should not (GLS 3.1.1.2).
  static func beginnings(_ runs: [NumberRun]) -> String {
    guard runs.count > 1 else { return "" }
    let isWrapped = (1..<runs.count).allSatisfy {
      runs[$0 - 1].sequences.maximum == 65_535 && runs[$0].sequences.minimum == 0
    }
    return isWrapped ? ": after 65535 the numbers began at 0 again" : ": the numbers restarted"
  }

  private func coverage(_ run: NumberRun, _ index: Int, _ device: StoryDevice) -> String {
    let gaps = run.sequences.gaps
    guard gaps.isEmpty else {
      let missing = gaps.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) + 1 }
      let named = gaps.prefix(6).map(Self.range)
      return "without \(named.joined(separator: ", "))\(gaps.count > 6 ? ", …" : "") (\(missing) not seen)"
    }
    if index < device.numbers.current { return device.numbers.isOpenBefore ? "without a gap between them" : "complete" }
    let isShort = device.progress.counted.map { UInt64($0) > device.numbers.count } ?? false
    return isShort || device.isOpen || device.strayRecords > 0 ? "without a gap between them" : "complete"
  }

  private static func words(_ range: ClosedRange<UInt32>) -> (range: String, were: String, them: String) {
    let isOne = range.lowerBound == range.upperBound
    return (Self.range(range), isOne ? "was" : "were", isOne ? "it" : "them")
  }

  /// `5` or `5–9`.
  static func range(_ range: ClosedRange<UInt32>) -> String {
    range.lowerBound == range.upperBound ? "\(range.lowerBound)" : "\(range.lowerBound)–\(range.upperBound)"
  }

  private static func packedTime(_ packed: UInt64) -> String {
    DateTime(
      year: UInt16(truncatingIfNeeded: packed >> 40),
      month: UInt8(truncatingIfNeeded: packed >> 32),
      day: UInt8(truncatingIfNeeded: packed >> 24),
      hours: UInt8(truncatingIfNeeded: packed >> 16),
      minutes: UInt8(truncatingIfNeeded: packed >> 8),
      seconds: UInt8(truncatingIfNeeded: packed)
    ).description.prefix(16).description
  }
}

import BluetoothWire
import HealthProfiles
import LinkTrace

extension StoryWriter {
  /// What came over from a device on all its links, and what is known to be missing.
  mutating func write(totals device: StoryDevice, to output: inout OutputBuffer) {
    line("  records     ", records(device), .plain, to: &output)
    if let deleted = device.progress.deleted { line("  deleted     ", Self.text(deleted), .bad, to: &output) }
    if let skipped = device.progress.skipped {
      let range = Self.range(skipped)
      line(
        "  missing     ",
        "\(range) were never asked for: a report broke off before them, and the next request began after them",
        .bad,
        to: &output
      )
    } else if device.progress.isUnfinished {
      line("  missing     ", "unknown: the last report did not come to its end", .warning, to: &output)
    }
    if let text = shortfall(device) { line("  counted     ", text, .warning, to: &output) }
    let counts = device.findingCounts
    if counts.contains(where: { $0 > 0 }) {
      let words = [(2, "error"), (1, "warning"), (0, "note")].filter { counts[$0.0] > 0 }
        .map { "\(counts[$0.0]) \($0.1)\(counts[$0.0] == 1 ? "" : "s")" }.joined(separator: ", ")
      line("  findings    ", words, counts[2] > 0 ? .bad : .warning, to: &output)
    }
  }

  /// A count that is higher than what came over: a sensor may count what it adds or deletes meanwhile, so that records
  /// are missing only where the numbers or the end of the report say so as well (GLP 4.7.3.2).
  private func shortfall(_ device: StoryDevice) -> String? {
    let delivered = device.sequences.count
    guard let counted = device.progress.counted, UInt64(counted) > delivered, device.opaqueRecords == 0
    else { return nil }
    let hasOpenEnd = device.progress.isUnfinished || device.progress.skipped != nil
    let isMissing = !device.sequences.gaps.isEmpty || hasOpenEnd || delivered == 0
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
    guard device.records > 0 || device.strayRecords > 0 else { return "none came over" }
    var text: String
    if device.records == 0 {
      text = "\(device.strayRecords), outside any procedure of this capture"
    } else {
      text = "\(device.records)"
      let distinct = device.sequences.count
      if device.records > distinct + device.opaqueRecords { text += " delivered, \(distinct) different numbers" }
      if device.contexts > 0 { text += ", \(device.contexts) context\(device.contexts == 1 ? "" : "s")" }
      if device.strayRecords > 0 { text += ", \(device.strayRecords) more outside any procedure" }
    }
    if let low = device.sequences.minimum, let high = device.sequences.maximum {
      text += ", sequence \(Self.range(low...high)) " + coverage(device)
    }
    if device.latest > 0 {
      text += "   base time " + Self.packedTime(device.earliest) + " to " + Self.packedTime(device.latest)
    }
    if device.opaqueRecords > 0 { text += "   (contents not readable)" }
    return text
  }

  private func coverage(_ device: StoryDevice) -> String {
    let gaps = device.sequences.gaps
    guard gaps.isEmpty else {
      let missing = gaps.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) + 1 }
      let named = gaps.prefix(6).map(Self.range)
      return "without \(named.joined(separator: ", "))\(gaps.count > 6 ? ", …" : "") (\(missing) not seen)"
    }
    let isShort = device.progress.counted.map { UInt64($0) > device.sequences.count } ?? false
    let isOpen =
      device.progress.isUnfinished || device.progress.skipped != nil || device.strayRecords > 0
      || device.progress.deleted != nil
    return isShort || isOpen ? "without a gap between them" : "complete"
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

import BluetoothWire
import HealthProfiles
import LinkTrace
import ProtocolLint

extension StoryWriter {
  /// The story of many links: totals, each device in a few lines, the odd links and the last ones in a line each.
  mutating func write(crowd devices: [StoryDevice], to output: inout OutputBuffer) {
    if devices.count > 1 {
      output.newline()
      let links = devices.reduce(0) { $0 + $1.linkCount }
      line(
        "",
        "\(links) links to \(devices.count) health devices   (--all tells each, --device NAME one)",
        .heading,
        to: &output
      )
      write(sums: devices, to: &output)
    }
    // Devices with something to look at come first; among equals the order of the capture stays.
    let ordered = devices.enumerated().sorted { left, right in
      let one = left.element.attention
      let other = right.element.attention
      return one == other ? left.offset < right.offset : one > other
    }.map(\.element)
    for device in ordered.prefix(StoryCrowd.devices) {
      output.newline()
      write(heading: device, to: &output)
      write(sums: [device], to: &output)
      for (link, skipped) in device.summedUp {
        if skipped > 0 { line("  ", "… \(skipped) more", .dim, to: &output) }
        write(short: link, to: &output)
      }
      write(totals: device, to: &output)
    }
    let rest = Array(ordered.dropFirst(StoryCrowd.devices))
    guard !rest.isEmpty else { return }
    output.newline()
    line("", countText(rest.count, "more health device"), .heading, to: &output)
    write(sums: rest, to: &output)
  }

  private mutating func write(sums devices: [StoryDevice], to output: inout OutputBuffer) {
    let links = devices.reduce(0) { $0 + $1.linkCount }
    let encrypted = devices.reduce(0) { $0 + $1.encryptedLinks }
    let odd = devices.reduce(0) { $0 + $1.oddCount }
    let first = devices.map(\.firstTime).min() ?? 0
    let last = devices.map(\.lastTime).max() ?? 0
    line(
      "  links       ",
      "\(links) from \(day(first)) \(clock(first)) to \(day(last)) \(clock(last)), \(encrypted) encrypted, \(odd) odd",
      .plain,
      to: &output
    )
    var outcomes: [String: Int] = [:]
    for device in devices { outcomes.merge(device.outcomes, uniquingKeysWith: +) }
    let words = OutcomeText.totals(outcomes)
    let procedures = devices.reduce(0) { $0 + $1.procedureCount }
    line("  procedures  ", "\(procedures)" + (words.isEmpty ? "" : ": \(words)"), .plain, to: &output)
    if devices.count > 1 {
      let records = devices.reduce(0) { $0 + $1.records }
      let findings = devices.reduce(0) { $0 + $1.findingCounts.reduce(0, +) }
      line(
        "  records     ",
        "\(records) delivered, \(countText(findings, "finding"))",
        .plain,
        to: &output
      )
    }
  }

  /// A link in one line.
  private mutating func write(short link: StoryLink, to output: inout OutputBuffer) {
    let summary = link.summary
    var parts = [
      day(summary.firstTime) + " " + clock(summary.firstTime),
      "+" + Self.span(summary.firstTime, summary.end.time),
    ]
    for entry in summary.procedures.prefix(3) {
      let request = RecordAccessRequest(octets: entry.requestOctets, dialect: entry.procedure.dialect)
      let records = entry.procedure.records > 0 ? " \(entry.procedure.records) records," : ""
      parts.append(
        TextEscaping.terminal(request.summary) + ":" + records + " " + OutcomeText.short(entry.procedure.outcome)
      )
    }
    if summary.procedures.count > 3 { parts.append("\(summary.procedures.count - 3) more procedures") }
    if summary.end.cause != .disconnected || summary.end.reason.isLinkLoss { parts.append(ending(summary)) }
    if let refused = summary.security.refusedKey { parts.append("stored key refused: \(refused.status.name)") }
    if summary.security.firstOn == nil, let pairing = PairingText.brokenOff(summary)?.last { parts.append(pairing) }
    for finding in link.verdicts.findings.prefix(2) { parts.append("\(finding.level.name) \(finding.rule)") }
    let isOdd = summary.isOdd || !link.verdicts.findings.isEmpty
    line("  link \(summary.number)   ", parts.joined(separator: "   "), isOdd ? .warning : .plain, to: &output)
  }
}

extension StoryDevice {
  /// How much there is to look at: errors before warnings before oddities.
  var attention: Int {
    findingCounts[2] * 1_000_000 + findingCounts[1] * 1_000 + (skipped == nil ? 0 : 1_000_000) + oddCount
  }

  /// The odd links and the last ones, in order, and how many lie before each that are not named.
  var summedUp: [(link: StoryLink, skipped: Int)] {
    let known = told
    let oddOnes = known.filter { $0.summary.isOdd || $0.verdicts.findings.contains { $0.level > .note } }
      .prefix(StoryCrowd.oddLinks).map(\.ordinal)
    let lastOnes = known.suffix(StoryCrowd.lastLinks).map(\.ordinal)
    let wanted = Set(oddOnes + lastOnes)
    var next = 1
    return known.filter { wanted.contains($0.ordinal) }.map { link in
      defer { next = link.ordinal + 1 }
      return (link, link.ordinal - next)
    }
  }
}

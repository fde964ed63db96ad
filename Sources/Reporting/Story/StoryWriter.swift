import BluetoothWire
import HealthProfiles
public import LinkTrace
import ProtocolLint

/// Writes the story for a terminal: one line a fact, the label in front, frame numbers behind.
public struct StoryWriter {
  let terminal: Terminal
  var times: TimeText

  public init(_ terminal: Terminal, _ zone: TimeText.Zone) {
    self.terminal = terminal
    times = TimeText(zone)
  }

  /// The whole story of a capture.
  public mutating func write(
    _ report: StoryReport,
    _ facts: CaptureFacts,
    _ totals: CaptureTotals,
    to output: inout OutputBuffer
  ) {
    write(head: facts, totals, to: &output)
    let devices = report.devices.filter { report.matches($0) }
    for device in devices {
      output.newline()
      write(heading: device, to: &output)
      if device.linkCount > StoryDevice.keptInFull && !report.options.all && report.options.link == nil {
        write(linkTotals: device, to: &output)
      }
      for (link, skipped) in device.told {
        if skipped > 0 && report.options.link == nil {
          line("  ", "… \(skipped) more link\(skipped == 1 ? "" : "s")", .dim, to: &output)
        }
        write(link, of: device, to: &output)
      }
      write(totals: device, to: &output)
    }
    write(foot: report, facts, totals, to: &output)
  }

  // MARK: Head and foot

  mutating func write(head facts: CaptureFacts, _ totals: CaptureTotals, to output: inout OutputBuffer) {
    var parts = [TextEscaping.terminal(facts.name), facts.format, "\(facts.frames) frames"]
    if let first = totals.firstTime, let last = totals.lastTime {
      parts.append(TimeText.duration(max(0, last - first)))
      parts.append(day(first))
      parts.append("times " + zoneOffset(first))
    }
    let gaps = facts.gaps
    if gaps.isEmpty { parts.append("nothing missing") }
    line("", parts.joined(separator: "   "), .heading, indent: 2, to: &output)
    for gap in gaps { line("  capture     ", gap, .warning, to: &output) }
    for refusal in facts.passedOver { line("  passed over ", refusal, .warning, to: &output) }
  }

  mutating func write(
    foot report: StoryReport,
    _ facts: CaptureFacts,
    _ totals: CaptureTotals,
    to output: inout OutputBuffer
  ) {
    var others: [String] = []
    if report.otherLinks > 0 {
      let peers = report.otherPeers.count
      others.append(
        "\(report.otherLinks) other link\(report.otherLinks == 1 ? "" : "s")"
          + (peers > 0 ? " to \(peers) device\(peers == 1 ? "" : "s")" : "")
          + " without any sign of a health device (\(report.otherPDUs) ATT PDUs)"
      )
    }
    if totals.classicLinks > 0 {
      others.append("\(totals.classicLinks) BR/EDR link\(totals.classicLinks == 1 ? "" : "s")")
    }
    if totals.vendorLogPackets > 0 {
      others.append("\(totals.vendorLogPackets) packets of a chip's own log (handle 0x0EDC), not decoded")
    }
    if report.devices.isEmpty {
      output.newline()
      let text =
        totals.lowEnergyLinks == 0
        ? "No Low Energy link in this capture." : "No link to a health device in this capture."
      line("", text, .heading, to: &output)
      if report.otherLinks == 0 && totals.classicLinks == 0 {
        line(
          "",
          "Start the capture before the phone connects to the meter, and sync once while it runs.",
          .dim,
          to: &output
        )
      }
    }
    if !others.isEmpty {
      output.newline()
      for other in others { line("", other, .dim, to: &output) }
    }
    write(findingsOf: report.devices.filter { report.matches($0) }, to: &output)
  }

  /// How many findings there are, and the worst three.
  private func write(findingsOf devices: [StoryDevice], to output: inout OutputBuffer) {
    let counts = devices.reduce([0, 0, 0]) { sums, device in sums.indices.map { sums[$0] + device.toldCounts[$0] } }
    guard counts.contains(where: { $0 > 0 }) else { return }
    output.newline()
    let text = Self.words(counts) + "   (racpscope lint tells what to change)"
    line("findings    ", text, Self.role(counts), to: &output)
    let worst = StoryDevice.worst(devices.flatMap(\.worstFindings))
    for finding in worst { write(finding, indent: 2, width: 12, to: &output) }
    let more = counts.reduce(0, +) - worst.count
    if more > 0 { line("  ", "… \(more) more", .dim, to: &output) }
  }

  private static func words(_ counts: [Int]) -> String {
    [(2, "error"), (1, "warning"), (0, "note")].filter { counts[$0.0] > 0 }
      .map { "\(counts[$0.0]) \($0.1)\(counts[$0.0] == 1 ? "" : "s")" }.joined(separator: ", ")
  }

  private static func role(_ counts: [Int]) -> TextRole { counts[2] > 0 ? .bad : .warning }

  // MARK: Devices

  mutating func write(heading device: StoryDevice, to output: inout OutputBuffer) {
    var text = device.key.address?.description ?? "unknown device"
    if let address = device.key.address { text += " (\(address.kind.rawValue))" }
    let name = device.information.name ?? device.advertisedName
    if let name { text += "  \"\(TextEscaping.terminal(name))\"" }
    var about: [String] = []
    let maker = [device.information.manufacturer, device.information.model].compactMap { $0 }
      .map { TextEscaping.terminal($0) }.joined(separator: " ")
    if !maker.isEmpty { about.append(maker) }
    if let firmware = device.information.firmware { about.append("firmware " + TextEscaping.terminal(firmware)) }
    if let serial = device.information.serial { about.append("serial " + TextEscaping.terminal(serial)) }
    if let battery = device.information.battery { about.append("battery \(battery) %") }
    if !about.isEmpty { text += "   " + about.joined(separator: ", ") }
    if device.key.isLocal { text += "   captured on the sensor's own host" }
    line("", text, .heading, indent: 2, to: &output)
  }

  private mutating func write(linkTotals device: StoryDevice, to output: inout OutputBuffer) {
    let outcomes = device.outcomes.sorted { $0.value == $1.value ? $0.key < $1.key : $0.value > $1.value }
      .map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    line(
      "  links       ",
      "\(device.linkCount) from \(day(device.firstTime)) \(clock(device.firstTime)) to \(day(device.lastTime)) "
        + "\(clock(device.lastTime)), \(device.encryptedLinks) encrypted, \(device.oddCount) odd   (--all tells each)",
      .plain,
      to: &output
    )
    line("  procedures  ", "\(device.procedureCount): \(outcomes)", .plain, to: &output)
  }

  mutating func write(totals device: StoryDevice, to output: inout OutputBuffer) {
    var text: String
    if device.records == 0 && device.strayRecords == 0 {
      text = "none came over"
    } else if device.records == 0 {
      text = "\(device.strayRecords), outside any procedure of this capture"
    } else {
      text = "\(device.records)"
      let distinct = UInt64(device.sequences.count)
      if device.records > distinct + device.opaqueRecords {
        text += " delivered, \(distinct) different numbers"
      }
      if device.contexts > 0 { text += ", \(device.contexts) context\(device.contexts == 1 ? "" : "s")" }
      if let low = device.sequences.minimum, let high = device.sequences.maximum {
        text += ", sequence \(low)–\(high) " + coverage(device.sequences)
      }
      if device.latest > 0 {
        text += "   base time " + packedTime(device.earliest) + " to " + packedTime(device.latest)
      }
      if device.opaqueRecords > 0 { text += "   (contents not readable)" }
      if device.strayRecords > 0 { text += ", \(device.strayRecords) outside any procedure" }
    }
    line("  records     ", text, .plain, to: &output)
    let counts = device.findingCounts
    if counts.contains(where: { $0 > 0 }) {
      line("  findings    ", Self.words(counts), Self.role(counts), to: &output)
    }
  }

  private func coverage(_ sequences: SequenceSet) -> String {
    let gaps = sequences.gaps
    guard !gaps.isEmpty else { return "complete" }
    let missing = gaps.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) + 1 }
    let named = gaps.prefix(6).map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" }
    return "without \(named.joined(separator: ", "))\(gaps.count > 6 ? ", …" : "") (\(missing) not seen)"
  }

  // MARK: Times

  mutating func clock(_ time: Int64) -> String { times.timeOfDay(time) }

  mutating func day(_ time: Int64) -> String {
    var buffer = OutputBuffer()
    times.appendDay(time, to: &buffer)
    return buffer.text
  }

  private mutating func zoneOffset(_ time: Int64) -> String {
    let seconds = times.offset(at: time)
    var buffer = OutputBuffer()
    buffer.append(seconds < 0 ? "-" : "+")
    buffer.append(digits: seconds.magnitude / 3600, width: 2)
    buffer.append(":")
    buffer.append(digits: seconds.magnitude / 60 % 60, width: 2)
    return buffer.text
  }

  private func packedTime(_ packed: UInt64) -> String {
    DateTime(
      year: UInt16(truncatingIfNeeded: packed >> 40),
      month: UInt8(truncatingIfNeeded: packed >> 32),
      day: UInt8(truncatingIfNeeded: packed >> 24),
      hours: UInt8(truncatingIfNeeded: packed >> 16),
      minutes: UInt8(truncatingIfNeeded: packed >> 8),
      seconds: UInt8(truncatingIfNeeded: packed)
    ).description.prefix(16).description
  }

  /// A fact behind its label, in as many lines as the terminal's width asks for.
  func line(
    _ label: String,
    _ text: String,
    _ role: TextRole,
    indent continued: Int? = nil,
    to output: inout OutputBuffer
  ) {
    let indent = continued ?? TextColumns.count(label)
    let lines = StoryParagraph.lines(text, width: max(40, terminal.width - indent))
    for (index, text) in lines.enumerated() {
      if index == 0 { output.append(label) } else { output.append(repeating: 0x20, count: indent) }
      output.append(text, as: role, on: terminal)
      output.newline()
    }
  }
}

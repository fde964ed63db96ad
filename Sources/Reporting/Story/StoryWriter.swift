import BluetoothWire
import HealthProfiles
public import LinkTrace
import ProtocolLint

/// Writes the story for a terminal: one line a fact, the label in front, frame numbers behind.
public struct StoryWriter {
  let terminal: Terminal
  var times: TimeText
  /// When the capture begins: its day is told in the head and goes without saying below it.
  var beginning: Int64?
  /// True to tell every procedure and finding of a link, however many there are.
  var tellsAll = false

  public init(_ terminal: Terminal, _ zone: TimeText.Zone) {
    self.terminal = terminal
    times = TimeText(zone)
  }

  /// The whole story of a capture; of a device or link that is not in it the head and the foot, see
  /// `StoryReport.lacking`.
  public mutating func write(
    _ report: StoryReport,
    _ facts: CaptureFacts,
    _ totals: CaptureTotals,
    to output: inout OutputBuffer
  ) {
    let report = report.judged()
    tellsAll = report.options.all
    write(head: facts, report, totals, to: &output)
    let devices = report.devices.filter { report.matches($0) }
    if report.options.link != nil {
      write(linksOf: devices, to: &output)
    } else if !report.options.all && StoryCrowd.isOne(devices) {
      write(crowd: devices, to: &output)
    } else {
      for device in devices { write(device, to: &output) }
    }
    write(foot: report, facts, totals, to: &output)
  }

  private mutating func write(_ device: StoryDevice, to output: inout OutputBuffer) {
    output.newline()
    write(heading: device, to: &output)
    for link in device.told { write(link, of: device, to: &output) }
    write(totals: device, to: &output)
  }

  /// One link was asked for: the totals of its device would speak of others.
  private mutating func write(linksOf devices: [StoryDevice], to output: inout OutputBuffer) {
    for device in devices where !device.told.isEmpty {
      output.newline()
      write(heading: device, to: &output)
      for link in device.told { write(link, of: device, to: &output) }
    }
  }

  // MARK: Head and foot

  mutating func write(
    head facts: CaptureFacts,
    _ report: StoryReport,
    _ totals: CaptureTotals,
    to output: inout OutputBuffer
  ) {
    var parts = [TextEscaping.terminal(facts.name), facts.format, facts.frameText]
    beginning = totals.firstTime
    if let first = totals.firstTime, let last = totals.lastTime {
      if last >= first { parts.append(TimeText.duration(last - first)) }
      parts.append(day(first))
      parts.append("times " + zoneOffset(first))
    }
    let gaps = gaps(facts, report)
    if gaps.isEmpty { parts.append("nothing missing") }
    line("", parts.joined(separator: "   "), .heading, indent: 2, to: &output)
    for gap in gaps { line("  capture     ", gap, .warning, to: &output) }
    for refusal in facts.passedOver { line("  passed over ", refusal, .warning, to: &output) }
  }

  /// The head of a capture that is still going on.
  mutating func write(beginning time: Int64?, of origin: String, to output: inout OutputBuffer) {
    var parts = [TextEscaping.terminal(origin)]
    if let time {
      parts.append(day(time))
      parts.append("times " + zoneOffset(time))
    }
    line("", parts.joined(separator: "   "), .heading, to: &output)
  }

  /// What only the end of a stream can tell of the capture itself.
  mutating func write(ending facts: CaptureFacts, _ report: StoryReport, to output: inout OutputBuffer) {
    let gaps = gaps(facts, report)
    let summary = "\(facts.format)   \(facts.frameText)" + (gaps.isEmpty ? "   nothing missing" : "")
    line("  capture     ", summary, .plain, to: &output)
    for gap in gaps { line("  capture     ", gap, .warning, to: &output) }
  }

  private func gaps(_ facts: CaptureFacts, _ report: StoryReport) -> [String] {
    var gaps = facts.gaps
    if report.cutPDUs > 0 && !facts.tellsOfClipping {
      let count = countText(report.cutPDUs, "attribute packet")
      gaps.append("\(count) of health links cut, of which the file says nothing")
    }
    let broken = report.brokenFragments
    if broken > 0 { gaps.append("\(countText(broken, "packet")) of health links without all their fragments") }
    return gaps
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
        countText(report.otherLinks, "other link")
          + (peers > 0 ? " to \(countText(peers, "device"))" : "")
          + " without any sign of a health device (\(report.otherPDUs) ATT PDUs)"
      )
    }
    if totals.classicLinks > 0 {
      others.append(countText(totals.classicLinks, "BR/EDR link"))
    }
    if totals.vendorLogPackets > 0 {
      let count = totals.vendorLogPackets
      others.append("\(countText(count, "packet")) of a chip's own log (handle 0x0EDC), not decoded")
    }
    if report.devices.isEmpty {
      output.newline()
      let text =
        totals.lowEnergyLinks == 0
        ? "No Low Energy link in this capture." : "No link to a health device in this capture."
      line("", text, .heading, to: &output)
      if report.otherLinks == 0 && totals.classicLinks == 0 {
        let advice = "Start the capture before the phone connects to the meter, and sync once while it runs."
        line("", advice, .dim, to: &output)
      }
    }
    if !others.isEmpty {
      output.newline()
      for other in others { line("", other, .dim, to: &output) }
    }
    write(findingsOf: report, facts, to: &output)
  }

  /// How many findings there are, and the worst three: of the devices, and of the capture itself where it is told whole.
  private func write(findingsOf report: StoryReport, _ facts: CaptureFacts, to output: inout OutputBuffer) {
    let devices = report.devices.filter { report.matches($0) }
    let ofCapture = report.options.link == nil ? facts.findings : []
    var counts = devices.reduce([0, 0, 0]) { sums, device in sums.indices.map { sums[$0] + device.toldCounts[$0] } }
    for finding in ofCapture { counts[Int(finding.level.rawValue)] += 1 }
    guard counts.contains(where: { $0 > 0 }) else {
      guard !devices.isEmpty else { return }
      output.newline()
      let text = report.comparesRecords ? "none" : "none   (racpscope lint also compares the records)"
      return line("findings    ", text, .plain, to: &output)
    }
    output.newline()
    let more = report.comparesRecords ? "" : " and compares the records"
    let text = Self.words(counts) + "   (racpscope lint tells what to change\(more))"
    line("findings    ", text, Self.role(counts), to: &output)
    let worst = StoryDevice.worst(devices.flatMap(\.worstFindings) + ofCapture)
    for finding in worst { write(finding, indent: 2, width: 12, to: &output) }
    let rest = counts.reduce(0, +) - worst.count
    if rest > 0 { line("  ", "… \(rest) more", .dim, to: &output) }
  }

  private static func words(_ counts: [Int]) -> String {
    [(2, "error"), (1, "warning"), (0, "note")].filter { counts[$0.0] > 0 }
      .map { countText(counts[$0.0], $0.1) }.joined(separator: ", ")
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

  // MARK: Times

  mutating func clock(_ time: Int64) -> String { times.timeOfDay(time) }

  mutating func day(_ time: Int64) -> String {
    var buffer = OutputBuffer()
    times.appendDay(time, to: &buffer)
    return buffer.text
  }

  /// The day of a time with a blank behind it where it is not that of the capture's beginning; else nothing.
  mutating func otherDay(_ time: Int64) -> String {
    guard let beginning else { return "" }
    let day = day(time)
    return day == self.day(beginning) ? "" : day + " "
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

  /// From one time stamp to another; a clock that was set back leaves no length.
  static func span(_ from: Int64, _ to: Int64) -> String {
    to >= from ? TimeText.duration(to - from) : "(clock set back)"
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
    let lines = StoryParagraph.lines(text, width: max(24, terminal.width - indent))
    for (index, text) in lines.enumerated() {
      if index == 0 { output.append(label) } else { output.append(repeating: 0x20, count: indent) }
      output.append(text, as: role, on: terminal)
      output.newline()
    }
  }
}

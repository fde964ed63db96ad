import BluetoothWire
import FetchComparison
import LinkTrace
import ProtocolLint

/// The two fetches side by side, and the step at which they part.
struct StepTable {
  private let terminal: Terminal
  private let zone: TimeText.Zone
  private static let labelWidth = 16
  /// Links told where there are more.
  private static let linkLimit = 4
  /// Findings told of the step at which the two part.
  private static let findingLimit = 3
  /// Procedures told of a link where there are more.
  private static let procedureLimit = 4

  init(_ terminal: Terminal, _ zone: TimeText.Zone) {
    self.terminal = terminal
    self.zone = zone
  }

  func write(_ device: DeviceComparison, _ comparison: Comparison, to output: inout OutputBuffer) {
    let links = device.first.map { comparison.fetches.first.devices[$0].links } ?? []
    let others = device.second.map { comparison.fetches.second.devices[$0].links } ?? []
    let left = cells(comparison.first, device.first, comparison.fetches.first)
    let right = cells(comparison.second, device.second, comparison.fetches.second)
    guard !left.isEmpty || !right.isEmpty else { return }
    output.newline()
    var told: Set<String> = []
    if !left.isEmpty && !right.isEmpty { parting(device, comparison, &told, to: &output) }
    row(
      "  step by step",
      heading(comparison.first, left.count),
      heading(comparison.second, right.count),
      .heading,
      to: &output
    )
    let parting = Parting(device, links, others)
    let noun = comparison.first.isStore && comparison.second.isStore ? "sync" : "link"
    let shown = shownLinks(max(left.count, right.count), parting.link)
    var previous = -1
    for ordinal in shown {
      if ordinal > previous + 1 { gap(ordinal - previous - 1, noun, to: &output) }
      previous = ordinal
      write(
        "\(noun) \(ordinal + 1)",
        ordinal < left.count ? left[ordinal] : nil,
        ordinal < right.count ? right[ordinal] : nil,
        parting.link == ordinal ? parting : nil,
        to: &output
      )
    }
    let rest = max(left.count, right.count) - 1 - previous
    if rest > 0 { gap(rest, noun, to: &output) }
    findings(device, comparison, links, others, &told, to: &output)
  }

  /// The links of a capture, or the syncs that a store remembers.
  private func cells(_ party: ComparisonParty, _ device: Int?, _ side: ComparedSide) -> [any StepCells] {
    guard let device else { return [] }
    if party.isStore { return party.runs.map { RunCells($0, zone) } }
    return side.devices[device].links.map { LinkCells(side.links[$0], party) }
  }

  private func heading(_ party: ComparisonParty, _ count: Int) -> String {
    if party.isStore { return "\(party.letter)   a store without packets, \(countText(count, "sync"))" }
    return "\(party.letter)   \(countText(count, "link"))"
  }

  private func gap(_ count: Int, _ noun: String, to output: inout OutputBuffer) {
    line("", "    … \(countText(count, noun)) not shown", .dim, to: &output)
  }

  private func shownLinks(_ count: Int, _ parting: Int?) -> [Int] {
    if count <= Self.linkLimit { return Array(0..<count) }
    var shown: Set<Int> = [0, count - 1]
    if let parting {
      for link in [parting - 1, parting, parting + 1] where link >= 0 && link < count { shown.insert(link) }
    }
    return shown.sorted()
  }

  // MARK: Parting

  /// Where the two part, as an ordinal of the table.
  private struct Parting {
    var link: Int?
    var first: FetchStep?
    var second: FetchStep?

    init(_ device: DeviceComparison, _ links: [Int], _ others: [Int]) {
      guard let parting = device.parting else { return }
      first = parting.first
      second = parting.second
      link =
        parting.first.flatMap { step in links.firstIndex(of: step.link) }
        ?? parting.second.flatMap { step in others.firstIndex(of: step.link) }
    }

    func marks(_ row: StepRow, _ pair: ProcedurePair?) -> Bool {
      guard let step = first ?? second else { return false }
      guard step.procedure == (first == nil ? pair?.right : pair?.left) else { return false }
      switch (step.content, row) {
      case (.link, .link), (.security, .security), (.subscriptions, .subscriptions), (.end, .end), (.request, .request),
        (.result, .result):
        return true
      default: return false
      }
    }
  }

  /// Procedures of the two sides in one row: a count stands by itself where the other side does not count.
  private struct ProcedurePair {
    var left: Int?
    var right: Int?

    static func all(_ left: (any StepCells)?, _ right: (any StepCells)?) -> [ProcedurePair] {
      var pairs: [ProcedurePair] = []
      var first = 0
      var second = 0
      while first < left?.procedureCount ?? 0 || second < right?.procedureCount ?? 0 {
        let hasFirst = first < left?.procedureCount ?? 0
        let hasSecond = second < right?.procedureCount ?? 0
        let counts = hasFirst && left?.isCount(first) ?? false
        let otherCounts = hasSecond && right?.isCount(second) ?? false
        let isLone = hasFirst && hasSecond && counts != otherCounts
        pairs.append(
          ProcedurePair(
            left: hasFirst && !(isLone && otherCounts) ? first : nil,
            right: hasSecond && !(isLone && counts) ? second : nil
          )
        )
        if pairs[pairs.count - 1].left != nil { first += 1 }
        if pairs[pairs.count - 1].right != nil { second += 1 }
      }
      return pairs
    }
  }

  private func parting(
    _ device: DeviceComparison,
    _ comparison: Comparison,
    _ told: inout Set<String>,
    to output: inout OutputBuffer
  ) {
    if comparison.first.isStore || comparison.second.isStore {
      line("  they part     ", "cannot be told: a store holds records and no packets", .dim, to: &output)
      return
    }
    guard let parting = device.parting else {
      let text =
        device.isPartingUnseen
        ? "cannot be told: a capture starts in the middle of its first link" : "nowhere: both do the same, step by step"
      line("  they part     ", text, device.isPartingUnseen ? .dim : .good, to: &output)
      return
    }
    let first = words(parting.first, parting.second, comparison.fetches.first, comparison.first)
    let second = words(parting.second, parting.first, comparison.fetches.second, comparison.second)
    line("  they part     ", "A \(first)   B \(second)", .warning, to: &output)
    for (party, side, step) in [
      (comparison.first, comparison.fetches.first, parting.first),
      (comparison.second, comparison.fetches.second, parting.second),
    ] {
      guard let step else { continue }
      for entry in Self.findings(at: step, party, side) { write(entry, party, side, &told, to: &output) }
    }
  }

  /// What the lint says of the step at which the two part, the gravest first.
  static func findings(
    at step: FetchStep,
    _ party: ComparisonParty,
    _ side: ComparedSide
  ) -> ArraySlice<SideFindings.Entry> {
    party.findings.near(link: step.link, procedure: step.procedure, frame: step.frame, links: side.links)
      .prefix(findingLimit)
  }

  private func words(
    _ step: FetchStep?,
    _ other: FetchStep?,
    _ side: ComparedSide,
    _ party: ComparisonParty
  ) -> String {
    guard let step else { return "ends here" }
    let link = side.links[step.link]
    let frame = party.frame(step.frame, link)
    switch step.content {
    case .link: return "connects again \(frame)"
    case .security(let protection):
      switch protection {
      case .encrypted: return "encrypts \(frame)"
      case .clear: return "does not encrypt \(frame)"
      case .failed: return "fails to encrypt \(frame)"
      case .unknown: return "is not seen to encrypt \(frame)"
      }
    case .subscriptions(let roles):
      let names = (roles ?? []).compactMap(AttributeRole.init(rawValue:)).map(RoleText.label)
      return names.isEmpty ? "turns nothing on \(frame)" : "turns on \(names.joined(separator: ", ")) \(frame)"
    case .request:
      guard let procedure = step.procedure else { return frame }
      return "asks for \(ComparisonWords.request(link.summary.procedures[procedure])) \(frame)"
    case .result:
      guard let procedure = step.procedure else { return frame }
      let entry = link.summary.procedures[procedure]
      var text = "gets \(OutcomeText.full(entry.procedure, sensor: link.summary.sensor, end: link.summary.end.cause))"
      if entry.procedure.records > 0 { text += " after \(ComparisonWords.readings(entry.procedure.records))" }
      return text + " \(frame)"
    case .end: return "is over: \(StoryWriter(Terminal(), .utc).ending(link.summary)) \(frame)"
    }
  }

  /// A name of a step for machines.
  static func name(_ content: FetchStep.Content) -> String {
    switch content {
    case .link: "link"
    case .security: "security"
    case .subscriptions: "subscriptions"
    case .request: "request"
    case .result: "result"
    case .end: "end"
    }
  }

  // MARK: Rows

  private func write(
    _ title: String,
    _ left: (any StepCells)?,
    _ right: (any StepCells)?,
    _ parting: Parting?,
    to output: inout OutputBuffer
  ) {
    row(.link, nil, title, left, right, parting, to: &output)
    row(.security, nil, "  security", left, right, parting, to: &output)
    row(.subscriptions, nil, "  subscribed", left, right, parting, to: &output)
    let pairs = ProcedurePair.all(left, right)
    var previous = -1
    for index in shownPairs(pairs, parting) {
      if index > previous + 1 {
        let count = index - previous - 1
        line("", "      … \(countText(count, "request")) not shown", .dim, to: &output)
      }
      previous = index
      row(.request, pairs[index], "  request \(index + 1)", left, right, parting, to: &output)
      for (kind, label) in [
        (StepRow.records, "    records"), (.pauses, "    pauses"), (.result, "    result"),
      ] {
        row(kind, pairs[index], label, left, right, parting, to: &output)
      }
    }
    row(.end, nil, "  end", left, right, parting, to: &output)
  }

  private func shownPairs(_ pairs: [ProcedurePair], _ parting: Parting?) -> [Int] {
    if pairs.count <= Self.procedureLimit { return Array(pairs.indices) }
    var shown: Set<Int> = [0, 1, pairs.count - 1]
    let marked = pairs.firstIndex { parting?.marks(.request, $0) ?? false || parting?.marks(.result, $0) ?? false }
    if let marked { shown.formUnion([marked - 1, marked, marked + 1].filter(pairs.indices.contains)) }
    return shown.sorted()
  }

  private func row(
    _ kind: StepRow,
    _ pair: ProcedurePair?,
    _ label: String,
    _ left: (any StepCells)?,
    _ right: (any StepCells)?,
    _ parting: Parting?,
    to output: inout OutputBuffer
  ) {
    let first = left?.text(kind, pair?.left) ?? ""
    let second = right?.text(kind, pair?.right) ?? ""
    guard !first.isEmpty || !second.isEmpty else { return }
    let isParting = parting?.marks(kind, pair) ?? false
    row(
      (isParting ? "≠ " : "  ") + label,
      first.isEmpty ? "–" : first,
      second.isEmpty ? "–" : second,
      isParting ? .bad : .plain,
      to: &output
    )
  }

  /// Two cells behind a label, each broken to its half of the width.
  private func row(
    _ label: String,
    _ left: String,
    _ right: String,
    _ role: TextRole,
    to output: inout OutputBuffer
  ) {
    let width = max(20, (terminal.width - Self.labelWidth - 2) / 2)
    let lines = StoryParagraph.lines(left, width: width)
    let others = StoryParagraph.lines(right, width: width)
    for index in 0..<max(lines.count, others.count) {
      var text = OutputBuffer()
      text.append(index == 0 ? label : "", columns: Self.labelWidth)
      text.append(index < lines.count ? lines[index] : "", columns: width)
      text.append("  ")
      text.append(index < others.count ? others[index] : "")
      var trimmed = text.text
      while trimmed.last == " " { trimmed.removeLast() }
      output.append(trimmed, as: role, on: terminal)
      output.newline()
    }
  }

  // MARK: Findings

  private func findings(
    _ device: DeviceComparison,
    _ comparison: Comparison,
    _ links: [Int],
    _ others: [Int],
    _ told: inout Set<String>,
    to output: inout OutputBuffer
  ) {
    let parts = [(comparison.first, links), (comparison.second, others)].compactMap { party, links in
      party.isStore ? nil : "\(party.letter) \(party.findings.counts(links).text)"
    }
    guard !parts.isEmpty else { return }
    line("  lint          ", parts.joined(separator: "   "), .dim, to: &output)
    for (party, side, groups) in [
      (comparison.first, comparison.fetches.first, device.missingFromFirst),
      (comparison.second, comparison.fetches.second, device.missingFromSecond),
    ] {
      guard let cause = groups.first?.cause, cause.isCertain, let place = ComparisonWords.frame(cause, side) else {
        continue
      }
      let near = party.findings.near(
        link: place.link,
        procedure: cause.procedure?.procedure,
        frame: place.frame,
        links: side.links
      )
      for entry in near.prefix(2) { write(entry, party, side, &told, to: &output) }
    }
  }

  private func write(
    _ entry: SideFindings.Entry,
    _ party: ComparisonParty,
    _ side: ComparedSide,
    _ told: inout Set<String>,
    to output: inout OutputBuffer
  ) {
    let finding = entry.finding
    guard told.insert("\(party.letter) \(entry.link) \(finding.fingerprint)").inserted else { return }
    let role: TextRole = finding.level == .error ? .bad : finding.level == .warning ? .warning : .dim
    let text =
      "\(party.letter) \(finding.level.name) \(finding.rule) \(finding.fault.rawValue): \(finding.message)   "
      + party.frame(finding.frames.first ?? 0, side.links[entry.link])
    line("    finding     ", text, role, to: &output)
  }

  private func line(_ label: String, _ text: String, _ role: TextRole, to output: inout OutputBuffer) {
    StoryWriter(terminal, .utc).line(label, text, role, to: &output)
  }
}

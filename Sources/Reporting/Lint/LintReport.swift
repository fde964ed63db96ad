import BluetoothWire
public import LinkTrace
import ProtocolLint

/// Judges the links of a capture as they end and keeps what was found.
///
/// Memory grows with the devices, their links and distinct records, and the findings, not with the frames: each finding
/// takes its excerpt along.
public struct LintReport: SeparateReport {
  private let judge: LintJudge
  private var devices: [LintDevice] = []
  private var positions: [DeviceHistory.Key: Int] = [:]

  public init(_ options: LintOptions) { judge = LintJudge(options) }

  public mutating func take(_ history: borrowing LinkHistory, advertisedName: [UInt8]?) {
    guard let verdicts = ReportedLink.verdicts(history, rules: judge.linkRules) else { return }
    let position = device(history)
    devices[position].linkCount += 1
    devices[position].procedureCount += history.procedures.count
    if devices[position].name == nil {
      devices[position].name = advertisedName ?? DeviceIdentity.readName(of: history)
    }
    devices[position].history.take(history)
    judge.count(verdicts, &devices[position].ownTallies)
    if !verdicts.findings.isEmpty { keep(verdicts.findings, history, position) }
  }

  /// What was found, the worst device first.
  public func capture(_ facts: CaptureFacts, files: [String], baseline: Baseline?) -> LintCapture {
    var wanted = devices
    if let device = judge.options.device {
      let filter = DeviceFilter(device)
      wanted = devices.filter { filter.matches(address: $0.address, names: [$0.name]) }
    }
    let strangers = judge.strangers(among: devices)
    for index in wanted.indices { judge.judge(&wanted[index], strangers: strangers) }
    return LintCapture(
      facts,
      files: files,
      devices: wanted,
      itself: judge.judge(facts),
      tallies: judge.emptyTallies,
      baseline: baseline
    )
  }

  private mutating func device(_ history: borrowing LinkHistory) -> Int {
    let key = DeviceHistory.Key(history)
    if let position = positions[key] { return position }
    positions[key] = devices.count
    devices.append(judge.device(key))
    return devices.count - 1
  }

  private mutating func keep(_ findings: [Finding], _ history: borrowing LinkHistory, _ position: Int) {
    let packets = ExcerptPackets(history)
    var link = LintLink(history)
    for finding in findings {
      guard let rule = judge.description(finding.rule) else { continue }
      link.findings.append(
        LintFinding(
          finding: finding,
          rule: rule,
          fingerprint: finding.fingerprint,
          excerpt: packets.excerpt(around: finding, history)
        )
      )
    }
    if !link.findings.isEmpty { devices[position].ownLinks.append(link) }
  }
}

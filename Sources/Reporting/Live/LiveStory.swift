import BluetoothWire
public import CaptureFiles
import HealthProfiles
import LinkTrace
import ProtocolLint

/// Tells what the adapter does while it does it: links, procedures and findings as they come, each link in full at its
/// end.
public struct LiveStory {
  private var tracker = LinkTracker()
  private var report: StoryReport
  private var output: OutputBuffer
  private let terminal: Terminal
  private var times: TimeText
  private var links: [UInt32: Told] = [:]
  private var isChanged = false
  private var frames: UInt32 = 0
  private var drops: UInt32 = 0
  /// Adapters that HCI traffic came from, ascending.
  private var adapters: [UInt16] = []

  /// What has been told of a link that is up.
  private struct Told {
    var procedures = 0
    var findings: Set<String> = []
  }

  /// - Parameter descriptor: where the story goes.
  public init(descriptor: Int32, zone: TimeText.Zone) {
    terminal = Terminal.behind(descriptor: descriptor)
    output = OutputBuffer(descriptor: descriptor)
    times = TimeText(zone)
    var options = StoryOptions()
    options.zone = zone
    report = StoryReport(options, streamingTo: OutputBuffer(descriptor: descriptor), on: terminal)
    report.name(origin: origin)
  }

  /// False once nobody reads the story.
  public var isOpen: Bool { output.isOpen }

  /// Takes the next record; links that end with it are told.
  public mutating func take(_ frame: CapturedFrame, _ octets: [UInt8]) {
    frames += 1
    isChanged = true
    meet(frame)
    guard unsafe tracker.follow(frame, octets.span.bytes) else { return }
    while let history = tracker.takeEnded() {
      links[history.number] = nil
      report.take(history, from: tracker)
      tracker.recycle(history)
    }
  }

  private mutating func meet(_ frame: CapturedFrame) {
    switch frame.kind {
    case .adapterAdded, .adapterRemoved, .adapterOpened, .adapterClosed, .adapterInformation, .text, .other: return
    default: break
    }
    let place = adapters.firstIndex { $0 >= frame.adapter } ?? adapters.count
    if place < adapters.count, adapters[place] == frame.adapter { return }
    adapters.insert(frame.adapter, at: place)
    report.name(origin: origin)
  }

  /// `hci0, live`.
  private var origin: String { (adapters.map { "hci\($0)" } + ["live"]).joined(separator: ", ") }

  /// Tells the tracker of records the kernel let go.
  public mutating func note(lost: UInt32, before frame: CapturedFrame) {
    guard lost > drops else { return }
    tracker.lost(UInt64(lost - drops), at: frame)
    drops = lost
  }

  /// Tells what is new of the links that are up; to be called once a second or less.
  public mutating func look() {
    guard isChanged else { return }
    isChanged = false
    for history in tracker.openLinks() where history.isHealthLink { tell(history) }
    output.flush()
  }

  private mutating func tell(_ history: LinkHistory) {
    if links[history.number] == nil {
      links[history.number] = Told()
      begin(history.firstTime)
      output.append("link \(history.number) with \(title(history)) is up")
      output.newline()
    }
    guard var told = links[history.number] else { return }
    while told.procedures < history.procedures.count, !Self.isRunning(history.procedures[told.procedures]) {
      tell(history.procedures[told.procedures], of: history)
      told.procedures += 1
    }
    for finding in LinkVerdicts(history).findings where !told.findings.contains(finding.fingerprint) {
      told.findings.insert(finding.fingerprint)
      tell(finding)
    }
    links[history.number] = told
  }

  private static func isRunning(_ procedure: Procedure) -> Bool { procedure.outcome == .running }

  private mutating func tell(_ procedure: Procedure, of history: LinkHistory) {
    let pdu = history.pdus.indices.contains(Int(procedure.request)) ? history.pdus[Int(procedure.request)] : nil
    let octets = pdu.map { history.written($0).copied() } ?? []
    let isCut = pdu.map { $0.isClipped || $0.isValueDropped } ?? true
    begin(procedure.endTime)
    output.append("link \(history.number): \(RequestText.of(octets, procedure.dialect, isCut: isCut)): ")
    if procedure.records > 0 { output.append("\(countText(procedure.records, "record")), ") }
    output.append(
      OutcomeText.full(procedure, sensor: history.sensor, end: history.end.cause),
      as: RoleText.role(of: procedure.outcome),
      on: terminal
    )
    output.newline()
  }

  private mutating func tell(_ finding: Finding) {
    begin(finding.time)
    let role: TextRole = finding.level == .error ? .bad : finding.level == .warning ? .warning : .plain
    output.append("link \(finding.link): ")
    output.append("\(finding.level.name)[\(finding.rule)]", as: role, on: terminal)
    output.append(" \(TextEscaping.terminal(finding.message))")
    if let frame = finding.frames.first { output.append(" (#\(frame))") }
    output.newline()
  }

  private mutating func begin(_ time: Int64) {
    times.appendTimeOfDay(time, to: &output)
    output.append("  ")
  }

  private func title(_ history: LinkHistory) -> String {
    let address = DeviceIdentity.address(of: history)?.description ?? "a device without a known address"
    guard let name = DeviceIdentity.name(of: history, from: tracker) else { return address }
    return "\(TextEscaping.terminal(name)) (\(address))"
  }

  /// Ends the story: links that are still up, and what only the end can tell.
  public mutating func finish(file name: String) -> OutputBuffer? {
    tracker.finish()
    while let history = tracker.takeEnded() { report.take(history, from: tracker) }
    let facts = CaptureFacts(name: name, format: "btsnoop of the Linux monitor", frames: frames, drops: drops)
    return report.finishStream(facts, tracker.totals)
  }
}

extension CaptureFacts {
  /// The facts of a capture that was read from the kernel and not from a file.
  init(name: String, format: String, frames: UInt32, drops: UInt32) {
    self.name = name
    self.format = format
    self.frames = frames
    self.drops = UInt64(drops)
    notes = []
    passedOver = []
  }
}

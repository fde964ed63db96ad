import BluetoothWire
public import LinkTrace
import ProtocolLint

/// Collects the links of a capture by device and tells what happened, one screen first.
///
/// Memory grows with the devices, not with the links: beyond a dozen links only the odd ones and the last are kept.
public struct StoryReport: SeparateReport {
  let options: StoryOptions
  var devices: [StoryDevice] = []
  private var positions: [DeviceHistory.Key: Int] = [:]
  /// Links without any sign of a health device.
  private(set) var otherLinks = 0
  /// Fragments of health links that fit nothing.
  private(set) var brokenFragments: UInt32 = 0
  /// Attribute packets of health links that are not whole.
  private(set) var cutPDUs: UInt64 = 0
  private(set) var otherPDUs: UInt64 = 0
  private(set) var otherPeers: Set<DeviceAddress> = []
  /// How many more PDUs of health links are looked at for their records: to compare those of thousands of links costs
  /// more than their story.
  private var comparedPDUs = Self.comparedLimit
  private static let comparedLimit = 100_000
  /// True while the records of every link so far are compared with each other.
  var comparesRecords: Bool { comparedPDUs > 0 }
  /// Where links are told as they end; nil where the story is told at the end.
  private var stream: StoryStream?

  public init(_ options: StoryOptions) {
    self.options = options
  }

  /// What a streamed story comes from, for its head line: standard input, unless something else is said before the first
  /// link is told.
  mutating func name(origin: String) { stream?.origin = origin }

  /// Tells each link as it ends, for input that comes while it is captured.
  public init(_ options: StoryOptions, streamingTo output: OutputBuffer, on terminal: Terminal) {
    self.options = options
    stream = StoryStream(output, terminal, options)
  }

  public mutating func take(_ history: borrowing LinkHistory, advertisedName: [UInt8]?) {
    guard let verdicts = ReportedLink.verdicts(history) else {
      otherLinks += 1
      otherPDUs += UInt64(history.counts.sentPDUs) + UInt64(history.counts.receivedPDUs)
      if let peer = history.peerIdentity, otherPeers.count < 10_000 { otherPeers.insert(peer) }
      return
    }
    let position = device(history)
    learn(history, position, advertisedName)
    let link = StoryLink(
      ordinal: devices[position].linkCount,
      summary: LinkSummary(history),
      verdicts: verdicts
    )
    count(link, position)
    compare(history, position)
    let isWanted = options.link.map { $0 == history.number } ?? true
    if isWanted {
      devices[position].keep(link, all: options.all || options.link != nil)
      devices[position].keep(link.verdicts.findings)
    }
    if stream != nil && isWanted && matches(devices[position]) {
      stream?.begin(link.summary.firstTime)
      stream?.tell(link, of: devices[position])
    }
  }

  /// The reader of a streamed story may go before its end.
  public var hasEnough: Bool { stream.map { !$0.output.isOpen } ?? false }

  /// Ends a streamed story: the summary that only the end can give.
  public mutating func finishStream(_ facts: CaptureFacts, _ totals: CaptureTotals) -> OutputBuffer? {
    guard var stream else { return nil }
    stream.begin(totals.firstTime)
    let judged = self.judged()
    let told = judged.devices.filter { matches($0) }
    for device in told { stream.conclude(device, isOnly: told.count == 1) }
    var writer = StoryWriter(stream.terminal, options.zone)
    writer.write(ending: facts, judged, to: &stream.output)
    writer.write(foot: judged, facts, totals, to: &stream.output)
    return stream.output
  }

  /// The same with what is wrong over several links.
  func judged() -> StoryReport {
    var report = self
    let strangers = Strangers(report.devices.map(\.history))
    for index in report.devices.indices { report.devices[index].judge(only: options.link, strangers: strangers) }
    return report
  }

  /// Adds a link to what its device shows over several, its records as long as all can be compared.
  private mutating func compare(_ history: borrowing LinkHistory, _ position: Int) {
    devices[position].history.take(history, withRecords: comparesRecords)
    guard comparesRecords else { return }
    comparedPDUs -= history.pdus.count
    // Some links without their records would look as if they had brought none.
    if !comparesRecords { for index in devices.indices { devices[index].history.forgetRecords() } }
  }

  func matches(_ device: StoryDevice) -> Bool {
    guard let wanted = options.device else { return true }
    return DeviceFilter(wanted).matches(
      address: device.key.address,
      names: [device.information.name, device.advertisedName]
    )
  }

  private mutating func device(_ history: borrowing LinkHistory) -> Int {
    let key = DeviceHistory.Key(history)
    if let position = positions[key] { return position }
    positions[key] = devices.count
    devices.append(StoryDevice(key))
    return devices.count - 1
  }

  private mutating func learn(
    _ history: borrowing LinkHistory,
    _ position: Int,
    _ advertisedName: [UInt8]?
  ) {
    devices[position].linkCount += 1
    devices[position].information.learn(history, server: history.presumedDevice)
    devices[position].firstTime = min(devices[position].firstTime, history.firstTime)
    devices[position].lastTime = max(devices[position].lastTime, history.lastTime)
    if devices[position].advertisedName == nil { devices[position].advertisedName = advertisedName }
  }

  private mutating func count(_ link: StoryLink, _ position: Int) {
    let summary = link.summary
    if summary.security.firstOn != nil { devices[position].encryptedLinks += 1 }
    if devices[position].hidden == nil, summary.hidden?.hidesValues ?? false {
      devices[position].hidden = summary.hidden
    }
    if summary.hidesRequests { devices[position].hidesRequests = true }
    cutPDUs += UInt64(summary.counts.clippedPDUs) + UInt64(summary.counts.emptiedPDUs)
    brokenFragments += summary.counts.brokenFragments
    let stray = summary.strayRecords
    devices[position].strayRecords += UInt64(stray.count)
    devices[position].numbers.take(stray)
    devices[position].earliest = min(devices[position].earliest, stray.earliest)
    devices[position].latest = max(devices[position].latest, stray.latest)
    for entry in summary.procedures {
      let procedure = entry.procedure
      devices[position].procedureCount += 1
      let isOpen = devices[position].isOpen
      if devices[position].numbers.isRestart(entry.numbering) {
        devices[position].progress.restart(on: summary.number, missing: devices[position].skipped)
      }
      devices[position].progress.follow(entry, on: summary.number, received: devices[position].numbers.count)
      devices[position].outcomes[OutcomeText.short(procedure.outcome), default: 0] += 1
      let delivered = UInt64(procedure.records) + UInt64(procedure.trailingRecords)
      devices[position].records += delivered
      devices[position].contexts += UInt64(procedure.contexts) + UInt64(procedure.trailingContexts)
      devices[position].earliest = min(devices[position].earliest, procedure.earliest)
      devices[position].latest = max(devices[position].latest, procedure.latest)
      if procedure.sequences.isEmpty {
        devices[position].opaqueRecords += delivered
      } else {
        devices[position].numbers.take(entry.numbering, isOpen: isOpen)
      }
    }
    for finding in link.verdicts.findings { devices[position].findingCounts[Int(finding.level.rawValue)] += 1 }
  }
}

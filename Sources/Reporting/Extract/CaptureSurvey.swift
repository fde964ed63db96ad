import BluetoothWire
import CaptureFiles
import LinkTrace

/// The first pass over a capture: its links, and for each the earlier frames without which it is not understood.
struct CaptureSurvey: FrameVisitor, LinkConsumer {
  private(set) var links: [SurveyedLink] = []
  /// By the frame of a Connection Complete: its command and that command's status, the answers that told the local
  /// addresses, the last advertising of the peer and the last that named it.
  private(set) var preludes: [UInt32: [UInt32]] = [:]
  /// LE Add Device To Resolving List: the frame that first gave each identity its key.
  private(set) var identityKeys: [DeviceAddress: UInt32] = [:]
  private(set) var frameCount: UInt32 = 0
  private(set) var needsMonitorFormat = false
  /// Days of the first and the last frame with a believable time.
  private(set) var days: ClosedRange<Int64>?

  private var tracker: LinkTracker
  private var adapters: [UInt16: AdapterNotes] = [:]
  private var drops: UInt64 = 0

  /// What was last seen of one controller.
  private struct AdapterNotes {
    var create: UInt32?
    var createStatus: UInt32?
    var publicAddress: UInt32?
    var randomAddress: UInt32?
    /// By op code the last command that said what the host advertises, and under which address.
    var ownAdvertising: [UInt16: UInt32] = [:]
    var advertising: [UInt64: Sighting] = [:]
  }

  private struct Sighting {
    var last: UInt32
    var named: UInt32?
    var isComplete = false
  }

  /// Surveys captures, a second time where something learned late names an earlier link better.
  static func of(_ sources: [CaptureSource]) throws(ExtractError) -> CaptureSurvey {
    var survey = CaptureSurvey(memory: TraceMemory())
    try survey.run(sources)
    guard survey.tracker.memory.learnedLate else { return survey }
    var second = CaptureSurvey(memory: survey.tracker.memory)
    try second.run(sources)
    return second
  }

  private init(memory: TraceMemory) { tracker = LinkTracker(memory: memory) }

  private mutating func run(_ sources: [CaptureSource]) throws(ExtractError) {
    try walk(sources)
    tracker.finish()
    takeEnded()
    links.sort { $0.number < $1.number }
  }

  mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker) {
    links.append(SurveyedLink(history, tracker.memory))
  }

  private mutating func takeEnded() {
    while let history = tracker.takeEnded() {
      links.append(SurveyedLink(history, tracker.memory))
      tracker.recycle(history)
    }
  }

  mutating func visit(_ frame: CapturedFrame, _ bytes: RawSpan, drops: UInt64) {
    frameCount = frame.number
    if drops != self.drops {
      tracker.lost(drops - self.drops, at: frame)
      self.drops = drops
    }
    if tracker.follow(frame, bytes) { takeEnded() }
    switch frame.kind {
    case .command: command(frame, bytes)
    case .event: event(frame, bytes)
    case .adapterAdded, .adapterRemoved, .adapterOpened, .adapterClosed, .adapterInformation: needsMonitorFormat = true
    case .text, .other: return
    default: break
    }
    if frame.adapter != 0 { needsMonitorFormat = true }
    let day = DayArithmetic.day(ofMicrosecond: frame.time)
    if let known = days {
      if !known.contains(day) { days = min(known.lowerBound, day)...max(known.upperBound, day) }
    } else {
      days = day...day
    }
  }

  private mutating func command(_ frame: CapturedFrame, _ bytes: RawSpan) {
    guard bytes.byteCount >= 3 else { return }
    switch bytes.u16(at: 0) {
    case 0x200D, 0x2043, 0x2085:
      adapters[frame.adapter, default: AdapterNotes()].create = frame.number
      adapters[frame.adapter, default: AdapterNotes()].createStatus = nil
    case 0x2005: adapters[frame.adapter, default: AdapterNotes()].randomAddress = frame.number
    case let opCode where OwnAdvertising.opCodes.contains(opCode):
      adapters[frame.adapter, default: AdapterNotes()].ownAdvertising[opCode] = frame.number
    case 0x2027 where bytes.byteCount >= 26:
      let address = DeviceAddress(bytes, at: 4, isRandom: bytes.u8(at: 3) & 1 == 1)
      if identityKeys[address] == nil && identityKeys.count < 20_000 { identityKeys[address] = frame.number }
    default: return
    }
  }

  private mutating func event(_ frame: CapturedFrame, _ bytes: RawSpan) {
    guard bytes.byteCount >= 4 else { return }
    switch bytes.u8(at: 0) {
    case 0x0E where bytes.byteCount >= 12 && bytes.u16(at: 3) == 0x1009:
      adapters[frame.adapter, default: AdapterNotes()].publicAddress = frame.number
    case 0x0F where bytes.byteCount >= 6 && [0x200D, 0x2043, 0x2085].contains(bytes.u16(at: 4)):
      adapters[frame.adapter, default: AdapterNotes()].createStatus = frame.number
    case 0x3E: lowEnergyEvent(frame, bytes)
    default: return
    }
  }

  private mutating func lowEnergyEvent(_ frame: CapturedFrame, _ bytes: RawSpan) {
    switch bytes.u8(at: 2) {
    case 0x02, 0x0D:
      for report in AdvertisingReports(bytes).reports {
        let key = Self.key(report.address)
        var notes = adapters[frame.adapter] ?? AdapterNotes()
        adapters[frame.adapter] = nil
        // A day of passers-by must not grow: what was seen long ago is no prelude to a link.
        if notes.advertising.count > 4096 { notes.advertising.removeAll(keepingCapacity: true) }
        var sighting = notes.advertising[key] ?? Sighting(last: 0)
        sighting.last = frame.number
        if let isComplete = AdvertisingReports.hasCompleteName(bytes, report), isComplete || !sighting.isComplete {
          sighting.named = frame.number
          sighting.isComplete = isComplete
        }
        notes.advertising[key] = sighting
        adapters[frame.adapter] = notes
      }
    case 0x01, 0x0A, 0x29:
      guard bytes.byteCount >= 21, bytes.u8(at: 3) == 0 else { return }
      prelude(frame, DeviceAddress(bytes, at: 8, isRandom: bytes.u8(at: 7) & 1 == 1), isCentral: bytes.u8(at: 6) == 0)
    default: return
    }
  }

  private static func key(_ address: DeviceAddress) -> UInt64 { address.value << 1 | (address.isRandom ? 1 : 0) }

  private mutating func prelude(_ frame: CapturedFrame, _ peer: DeviceAddress, isCentral: Bool) {
    guard let notes = adapters[frame.adapter] else { return }
    var frames = [notes.publicAddress, notes.randomAddress].compactMap { $0 }
    if isCentral {
      frames += [notes.create, notes.createStatus].compactMap { $0 }
    } else {
      frames += notes.ownAdvertising.values
    }
    if let sighting = notes.advertising[Self.key(peer)] {
      frames.append(sighting.last)
      if let named = sighting.named { frames.append(named) }
    }
    preludes[frame.number] = frames
    adapters[frame.adapter]?.create = nil
    adapters[frame.adapter]?.createStatus = nil
  }
}

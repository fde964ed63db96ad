import BluetoothWire
import CaptureFiles
import LinkTrace

/// The second pass over a capture: copies the frames of the selected links and what they need to be understood.
struct FrameCopier: FrameVisitor {
  private(set) var frames = ExtractedFrames()
  private let keepsText: Bool
  /// The selected links of an adapter and a handle, by their frames.
  private var spans = HandleSpans()
  private var wanted: Set<UInt32> = []
  private var peers: Set<DeviceAddress> = []
  private var adapters: Set<UInt16> = []
  private let lastFrame: UInt32
  private let firstFrame: UInt32
  /// Commands that were copied and whose answers have not come, by adapter and op code.
  private var awaited: Set<UInt32> = []
  /// The L2CAP PDUs that are open, by link.
  private var lacking: [Int: OpenPDUs] = [:]

  /// Octets the PDUs of a link still lack, and the continuations that may be of either: where they stand in `frames`.
  private struct OpenPDUs {
    var sent = 0
    var received = 0
    var undecided = UndecidedFragments()
    var held: [Int] = []
  }

  init(_ links: [SurveyedLink], _ survey: CaptureSurvey, keepsText: Bool) {
    self.keepsText = keepsText
    firstFrame = links.map { $0.firstFrame }.min() ?? 0
    lastFrame = links.map { $0.lastFrame }.max() ?? 0
    for (index, link) in links.enumerated() {
      let frames = link.firstFrame...max(link.firstFrame, link.lastFrame)
      spans.add(index, adapter: link.adapter, handle: link.handle, frames: frames)
      adapters.insert(link.adapter)
      wanted.formUnion(survey.preludes[link.firstFrame] ?? [])
      for address in [link.identity, link.peer].compactMap({ $0 }) + link.resolvable { peers.insert(address) }
      if let identity = link.identity, let frame = survey.identityKeys[identity] { wanted.insert(frame) }
    }
  }

  mutating func visit(_ frame: CapturedFrame, _ bytes: RawSpan, drops: UInt64) {
    switch frame.kind {
    case .aclSent, .aclReceived, .aclUndirected: acl(frame, bytes, drops)
    case .command: command(frame, bytes, drops)
    case .event: event(frame, bytes, drops)
    case .adapterAdded, .adapterRemoved, .adapterOpened, .adapterClosed, .adapterInformation:
      if adapters.contains(frame.adapter) { copy(frame, bytes, drops) }
    case .text:
      if keepsText && frame.number >= firstFrame && frame.number <= lastFrame { copy(frame, bytes, drops) }
    case .scoSent, .scoReceived, .isoSent, .isoReceived, .other: return
    }
  }

  private mutating func copy(_ frame: CapturedFrame, _ bytes: RawSpan, _ drops: UInt64, link: Int? = nil) {
    frames.append(frame, kind: frame.kind, bytes, drops: drops, link: link)
  }

  private func link(_ frame: CapturedFrame, _ handle: UInt16) -> Int? {
    spans.link(adapter: frame.adapter, handle: handle, frame: frame.number)
  }

  // MARK: Data

  private mutating func acl(_ frame: CapturedFrame, _ bytes: RawSpan, _ drops: UInt64) {
    guard bytes.byteCount >= 4, let link = link(frame, bytes.u16(at: 0)) else { return }
    let kind = direction(frame.kind, bytes, link)
    frames.append(frame, kind: kind, bytes, drops: drops, link: link)
    guard kind == .aclUndirected, var open = lacking[link] else { return }
    if !open.held.isEmpty && open.undecided.total >= open.sent + open.received { decide(&open, complete: nil) }
    lacking[link] = open
  }

  /// A continuation without direction goes the way of the PDU that is open; where both are it keeps none until it shows.
  private mutating func direction(_ kind: FrameKind, _ bytes: RawSpan, _ link: Int) -> FrameKind {
    var open = lacking[link] ?? OpenPDUs()
    defer { lacking[link] = open }
    let dataLength = Int(bytes.u16(at: 2))
    guard bytes.u16(at: 0) >> 12 & 3 == 1 else {
      let after = bytes.byteCount >= 8 ? max(0, 4 + Int(bytes.u16(at: 4)) - dataLength) : 0
      let isSent = kind == .aclSent
      if !open.held.isEmpty { decide(&open, complete: isSent ? .local : .remote) }
      if isSent { open.sent = after } else { open.received = after }
      return kind
    }
    var resolved = kind
    if kind == .aclUndirected {
      if open.sent > 0 && open.received > 0 {
        let side =
          open.held.isEmpty
          ? UndecidedFragments.side(of: dataLength, sent: open.sent, received: open.received) : nil
        guard let side else {
          hold(dataLength, &open)
          return .aclUndirected
        }
        resolved = side == .local ? .aclSent : .aclReceived
      } else {
        resolved = open.sent > 0 ? .aclSent : .aclReceived
      }
    }
    if resolved == .aclSent {
      open.sent = max(0, open.sent - dataLength)
    } else {
      open.received = max(0, open.received - dataLength)
    }
    return resolved
  }

  private mutating func hold(_ length: Int, _ open: inout OpenPDUs) {
    open.held.append(frames.records.count)
    guard length <= max(open.sent, open.received), open.undecided.append(length) else {
      open = OpenPDUs()
      return
    }
  }

  /// Gives the continuations that are held the directions they have; without a single way to share them out they keep
  /// none, and are not written.
  private mutating func decide(_ open: inout OpenPDUs, complete: Side?) {
    let ways = open.undecided.ways(sent: open.sent, received: open.received, complete: complete)
    guard ways.count == 1, let sides = ways.first else {
      let rest = open.sent + open.received - open.undecided.total
      open = OpenPDUs()
      if ways.count > 1 && complete == .local { open.received = rest }
      if ways.count > 1 && complete == .remote { open.sent = rest }
      return
    }
    for (record, (side, length)) in zip(open.held, zip(sides, open.undecided.lengths)) {
      frames.records[record].kind = side == .local ? .aclSent : .aclReceived
      if side == .local { open.sent -= length } else { open.received -= length }
    }
    open.held.removeAll()
    open.undecided.removeAll()
  }

  // MARK: Commands and events

  private mutating func command(_ frame: CapturedFrame, _ bytes: RawSpan, _ drops: UInt64) {
    guard bytes.byteCount >= 3 else { return }
    let opCode = bytes.u16(at: 0)
    if HandlePosition.begins(command: opCode), bytes.byteCount >= 5 {
      guard let link = link(frame, bytes.u16(at: 3)) else { return }
      awaited.insert(UInt32(frame.adapter) << 16 | UInt32(opCode))
      copy(frame, bytes, drops, link: link)
    } else if wanted.contains(frame.number) || (opCode == 0x0C03 && adapters.contains(frame.adapter)) {
      copy(frame, bytes, drops)
    }
  }

  private mutating func event(_ frame: CapturedFrame, _ bytes: RawSpan, _ drops: UInt64) {
    guard bytes.byteCount >= 3 else { return }
    let code = bytes.u8(at: 0)
    switch code {
    case 0x13: completedPackets(frame, bytes, drops)
    case 0x0E where bytes.byteCount >= 5: answer(frame, bytes.u16(at: 3), bytes, drops)
    case 0x0F where bytes.byteCount >= 6: answer(frame, bytes.u16(at: 4), bytes, drops)
    case 0x3E where bytes.u8(at: 2) == 0x02 || bytes.u8(at: 2) == 0x0D:
      if wanted.contains(frame.number) { advertising(frame, bytes, drops) }
    default:
      guard let position = HandlePosition.ofEvent(code, subevent: bytes.u8(at: 2)),
        position + 2 <= bytes.byteCount, let link = link(frame, bytes.u16(at: position))
      else { return }
      copy(frame, bytes, drops, link: link)
    }
  }

  private mutating func answer(_ frame: CapturedFrame, _ opCode: UInt16, _ bytes: RawSpan, _ drops: UInt64) {
    let isReset = opCode == 0x0C03 && adapters.contains(frame.adapter)
    let isAwaited = awaited.remove(UInt32(frame.adapter) << 16 | UInt32(opCode)) != nil
    if isReset || isAwaited || wanted.contains(frame.number) { copy(frame, bytes, drops) }
  }

  /// Only the entries of selected links; an event whose entries all are stays as it is.
  private mutating func completedPackets(_ frame: CapturedFrame, _ bytes: RawSpan, _ drops: UInt64) {
    var entries: [UInt8] = []
    var kept: UInt8 = 0
    var all = 0
    var owner: Int?
    var at = 3
    for _ in 0..<Int(bytes.u8(at: 2)) where at + 4 <= bytes.byteCount {
      all += 1
      if let link = link(frame, bytes.u16(at: at)) {
        owner = link
        kept += 1
        for offset in 0..<4 { entries.append(bytes.u8(at: at + offset)) }
      }
      at += 4
    }
    guard kept > 0 else { return }
    if all == Int(kept) { return copy(frame, bytes, drops, link: owner) }
    frames.append(
      frame,
      rebuilt: [0x13, UInt8(clamping: 1 + entries.count), kept] + entries,
      drops: drops,
      link: owner
    )
  }

  /// Only the reports of the selected peers.
  private mutating func advertising(_ frame: CapturedFrame, _ bytes: RawSpan, _ drops: UInt64) {
    let reports = AdvertisingReports(bytes).reports
    let own = reports.filter { peers.contains($0.address) }
    guard !own.isEmpty else { return }
    if own.count == reports.count { return copy(frame, bytes, drops) }
    var parameters: [UInt8] = [bytes.u8(at: 2), UInt8(own.count)]
    for report in own { parameters += bytes.extracting(report.start..<(report.start + report.count)).copied() }
    frames.append(
      frame,
      rebuilt: [0x3E, UInt8(clamping: parameters.count)] + parameters,
      drops: drops,
      link: nil
    )
  }
}

import BluetoothWire
public import CaptureFiles
public import LinkTrace

/// Writes one line a frame, in frame order, with what the frame meant.
///
/// For a file a `PacketSurvey` is made first, so that what is discovered late names what came early; a stream goes
/// without, and names a handle from its discovery on.
public struct PacketsReport {
  public var output: OutputBuffer
  /// How many frames were written.
  public private(set) var writtenCount = 0
  private let options: PacketsOptions
  private let survey: PacketSurvey?
  private var tracker: LinkTracker
  private var time: TimeText
  private var keys = KeyMaterial()
  /// The line that is made, and the frame in words; their room is kept from frame to frame.
  private var line = OutputBuffer()
  private var words = OutputBuffer()
  /// Names as the survey has them: one lookup as long as the link stays the same.
  private var named: (link: UInt32, text: AttributeText)?

  public init(
    _ options: PacketsOptions,
    output: OutputBuffer,
    survey: PacketSurvey? = nil,
    memory: TraceMemory = TraceMemory()
  ) {
    self.options = options
    self.output = output
    self.survey = survey
    tracker = LinkTracker(memory: memory)
    tracker.keepsEveryValue = true
    time = TimeText(options.zone)
  }

  /// Reads a capture to its end, or to the last frame asked for, or until the output is gone.
  public mutating func read(_ reader: inout CaptureReader) {
    var drops = reader.drops
    while output.isOpen, let frame = reader.next() {
      if let last = options.frames?.upperBound, frame.number > last { return }
      if reader.drops != drops {
        tracker.lost(reader.drops - drops, at: frame)
        drops = reader.drops
      }
      take(frame, reader.bytes(of: frame))
    }
  }

  /// Flushes the output.
  public mutating func finish() { output.flush() }

  private mutating func take(_ frame: CapturedFrame, _ bytes: RawSpan) {
    let ended = survey == nil ? endedLink(frame, bytes) : nil
    let hasEnded = tracker.follow(frame, bytes)
    if hasEnded { while let history = tracker.takeEnded() { tracker.recycle(history) } }
    // Fragments of keys are followed also through frames that are not shown.
    let octets = options.hasOctets ? keys.shown(frame, bytes) : nil
    guard options.frames?.contains(frame.number) ?? true else { return }
    var packet = describe(frame, bytes)
    if packet.link == nil { packet.link = ended }
    if let wanted = options.link, packet.link != wanted { return }
    packet.octets = octets
    writtenCount += 1
    switch options.format {
    case .text: writeText(frame, packet)
    case .jsonl: writeJSON(frame, packet)
    }
  }

  /// The link that a Disconnection Complete ends, which the tracker does not know any more once it has seen it.
  private func endedLink(_ frame: CapturedFrame, _ bytes: RawSpan) -> UInt32? {
    guard frame.kind == .event, bytes.byteCount >= 1, bytes.u8(at: 0) == 0x05 else { return nil }
    return HandleOfFrame.handle(frame, bytes).flatMap { tracker.linkNumber(adapter: frame.adapter, handle: $0) }
  }

  // MARK: What a frame is

  /// The link and the PDUs of a frame, and what it is in `words`.
  private mutating func describe(_ frame: CapturedFrame, _ bytes: RawSpan) -> Packet {
    var packet = Packet()
    var extra: [String] = []
    var text = OutputBuffer()
    swap(&text, &words)
    text.clear()
    var known = named
    named = nil
    let survey = survey
    let isListed = options.format == .jsonl
    tracker.withLatest { history, firstPDU, firstEvent in
      packet.link = history.number
      guard firstPDU < history.pdus.count || firstEvent < history.events.count else { return }
      if known?.link != history.number || survey == nil {
        known = (
          link: history.number,
          text: AttributeText(names: survey?.links[history.number]?.names ?? PacketNames(history))
        )
      }
      for index in firstPDU..<history.pdus.count {
        let pdu = history.pdus[index]
        if text.count > 0 { text.append("; ") }
        known?.text.write(pdu, history, to: &text)
        guard isListed, let names = known?.text.names else { continue }
        packet.pdus.append(
          Packet.PDU(
            opcode: pdu.opcode,
            handle: pdu.handle,
            name: pdu.handle == 0 ? nil : names.name(pdu.handle, pdu.server),
            provenance: names.provenance(pdu.handle, pdu.server)
          )
        )
      }
      for event in history.events[firstEvent...] {
        if let text = ChannelText.security(event) { extra.append(text) }
      }
    }
    named = known
    let hasPDU = text.count > 0
    switch frame.kind {
    case .command: extra = [ControllerText.command(bytes)]
    case .event: extra = [ControllerText.event(bytes)]
    case .aclSent, .aclReceived, .aclUndirected:
      if !hasPDU && extra.isEmpty { extra = [ChannelText.fragment(bytes)] }
    case .text: extra = ["note: " + Self.note(bytes)]
    case .adapterAdded: extra = ["adapter \(frame.adapter) added"]
    case .adapterRemoved: extra = ["adapter \(frame.adapter) removed"]
    case .adapterOpened: extra = ["adapter \(frame.adapter) opened"]
    case .adapterClosed: extra = ["adapter \(frame.adapter) closed"]
    case .adapterInformation: extra = ["adapter \(frame.adapter) information"]
    case .scoSent, .scoReceived: extra = ["SCO data, \(bytes.byteCount) octets"]
    case .isoSent, .isoReceived: extra = ["ISO data, \(bytes.byteCount) octets"]
    case .other: extra = ["host control or vendor record, not shown"]
    }
    if frame.isClipped && !hasPDU { extra[0] += extra[0].hasSuffix(" cut") ? " by the logger" : " (cut by the logger)" }
    for part in extra {
      if text.count > 0 { text.append("; ") }
      text.append(part)
    }
    swap(&text, &words)
    if packet.link == nil { packet.link = link(of: frame, bytes) }
    return packet
  }

  /// The link of a frame that the tracker ties to none: its handle tells.
  private func link(of frame: CapturedFrame, _ bytes: RawSpan) -> UInt32? {
    guard let handle = HandleOfFrame.handle(frame, bytes) else { return nil }
    if let survey { return survey.number(adapter: frame.adapter, handle: handle, frame: frame.number) }
    return tracker.linkNumber(adapter: frame.adapter, handle: handle)
  }

  // MARK: Output

  private mutating func writeText(_ frame: CapturedFrame, _ packet: Packet) {
    line.clear()
    line.append(String(frame.number), columns: 7, alignment: .right)
    line.append("  ")
    time.appendTimeOfDay(frame.time, to: &line)
    line.append("  ")
    line.append(Self.direction(frame).arrow)
    line.append(packet.link.map(String.init) ?? "", columns: 4, alignment: .right)
    line.append("  ")
    line.append(words.octets)
    line.cut(to: options.isWide ? .max : options.columns)
    line.newline()
    output.append(line.octets)
    guard let octets = packet.octets else { return }
    var place = 0
    while place < octets.count {
      let end = min(place + 16, octets.count)
      output.append("         ")
      output.append(hexDigits: UInt64(place), width: 4)
      output.append("  ")
      let bytes = unsafe octets.span.bytes
      output.append(hexOctetsOf: bytes.extracting(place..<end), separator: 0x20)
      output.newline()
      place = end
    }
  }

  private mutating func writeJSON(_ frame: CapturedFrame, _ packet: Packet) {
    var json = JSONWriter(output.taken())
    json.beginObject()
    json.member("schema", "racpscope/packet/1")
    json.member("frame", frame.number)
    json.key("time")
    json.value { time.appendTimestamp(frame.time, to: &$0) }
    json.member("kind", Self.kind(frame))
    json.member("direction", Self.direction(frame).name)
    json.member("adapter", frame.adapter == .max ? nil : frame.adapter)
    json.member("link", packet.link)
    json.member("text", words.text)
    json.key("pdus")
    json.beginArray()
    for pdu in packet.pdus {
      json.beginObject()
      json.member("opcode", pdu.opcode.rawValue)
      json.member("name", pdu.opcode.name)
      json.member("handle", pdu.handle == 0 ? nil : pdu.handle)
      json.member("attribute", pdu.name)
      json.member("provenance", pdu.handle == 0 ? nil : pdu.provenance.name)
      json.endObject()
    }
    json.endArray()
    json.member("length", frame.originalLength)
    json.member("clipped", frame.isClipped)
    if options.hasOctets {
      json.key("octets")
      if let octets = packet.octets { json.value(hexOctetsOf: unsafe octets.span.bytes) } else { json.null() }
    }
    json.endObject()
    json.endDocument()
    output = json.output
  }

  private static func direction(_ frame: CapturedFrame) -> (arrow: String, name: String?) {
    switch frame.kind {
    case .command, .aclSent, .scoSent, .isoSent: ("->", "sent")
    case .event, .aclReceived, .scoReceived, .isoReceived: ("<-", "received")
    default: ("  ", nil)
    }
  }

  /// A logger's text without the zero that ends it, and without keys.
  private static func note(_ bytes: RawSpan) -> String {
    var octets = KeyText.masked(bytes.copied())
    while octets.last == 0 { octets.removeLast() }
    return TextEscaping.terminal(octets)
  }

  private static func kind(_ frame: CapturedFrame) -> String {
    switch frame.kind {
    case .command: "command"
    case .event: "event"
    case .aclSent, .aclReceived, .aclUndirected: "acl"
    case .scoSent, .scoReceived: "sco"
    case .isoSent, .isoReceived: "iso"
    case .adapterAdded, .adapterRemoved, .adapterOpened, .adapterClosed, .adapterInformation: "adapter"
    case .text: "text"
    case .other: "other"
    }
  }
}

/// btsnoop version 1: a 16-octet file header and 24-octet record headers, all big-endian (captures.md 1).
enum BtsnoopFormat {
  static let headerLength = 16
  static let recordHeaderLength = 24
  static let magic: [UInt8] = [0x62, 0x74, 0x73, 0x6E, 0x6F, 0x6F, 0x70, 0x00]
  /// Microseconds from 0000-01-01, where btsnoop counts from, to 1970-01-01.
  static let epoch: Int64 = 0x00DC_DDB3_0F2F_8000

  static func probe(_ window: inout RecordWindow) -> Probe {
    let start = window.peek(headerLength)
    guard start.starts(with: magic) else { return .notMine }
    guard start.count == headerLength else {
      return .refused(
        Refusal(
          what: "a btsnoop file cut inside its 16-octet header (\(start.count) octets)",
          hint: "Copy the file again, after the logger has closed it."
        )
      )
    }
    let version = window.u32(8, bigEndian: true)
    guard version == 1 else {
      return .refused(
        Refusal(
          what: "a btsnoop file of version \(version), and only version 1 is defined",
          hint: "Capture again with btmon -w or the phone's HCI snoop log."
        )
      )
    }
    let number = window.u32(12, bigEndian: true)
    if let datalink = BtsnoopDatalink(rawValue: number) { return .mine(.btsnoop(datalink)) }
    let instead = "Capture HCI on the host with btmon -w or the phone's HCI snoop log."
    switch number {
    case 1003:
      return .refused(Refusal(what: "a btsnoop file of BCSP serial traffic (datalink 1003)", hint: instead))
    case 1004:
      return .refused(Refusal(what: "a btsnoop file of three-wire H5 serial traffic (datalink 1004)", hint: instead))
    case 2002:
      return .refused(Refusal(what: "a btsnoop file of simulated radio traffic (datalink 2002)", hint: instead))
    default:
      return .refused(Refusal(what: "a btsnoop file of unknown datalink \(number)", hint: instead))
    }
  }
}

/// What the walk over a btsnoop file remembers between records.
struct BtsnoopState: Sendable {
  /// The drop counter of the record before; nil before the first.
  var drops: UInt32?
  /// Whether the packets are laid out as the header says.
  var framing = FramingCheck()
}

extension CaptureReader {
  /// Reads one record; false at the end of what can be read.
  mutating func nextBtsnoop(_ datalink: BtsnoopDatalink, into frame: inout CapturedFrame) -> Bool {
    guard window.have(BtsnoopFormat.recordHeaderLength) else {
      endAtTail()
      return false
    }
    let original = window.u32(0, bigEndian: true)
    let included = window.u32(4, bigEndian: true)
    let flags = window.u32(8, bigEndian: true)
    let dropped = window.u32(12, bigEndian: true)
    let stamp = Int64(bitPattern: window.u64(16, bigEndian: true))
    guard included <= UInt32(RecordWindow.recordBound) else {
      endAtBadLength(Int64(included))
      return false
    }
    let length = Int(included)
    guard window.have(BtsnoopFormat.recordHeaderLength &+ length) else {
      endAtTail()
      return false
    }
    // Adapters come and go in records of the monitor that have no octets.
    let maybeEmpty = length == 0 && (datalink != .monitor || flags & 0xFFFF < 8)
    if maybeEmpty, !goesOnWithEmptyRecord(header: BtsnoopFormat.recordHeaderLength) { return false }
    frameCount &+= 1
    if btsnoop.framing.isOpen, datalink != .monitor {
      checkFraming(datalink, flags: flags, length: length, original: Int(original))
    }
    let time = stamp &- BtsnoopFormat.epoch
    if dropped != btsnoop.drops { observe(dropCounter: dropped) }
    frame = CapturedFrame(
      number: frameCount,
      kind: .other,
      adapter: 0,
      time: time,
      offset: window.start &+ BtsnoopFormat.recordHeaderLength,
      length: length,
      originalLength: max(length, Int(original))
    )
    switch datalink {
    case .unencapsulated:
      frame.kind = HCIFraming.kind(btsnoopFlags: flags)
    case .uart:
      let type = length > 0 ? window.u8(BtsnoopFormat.recordHeaderLength) : 0
      stripTypeOctet(&frame, type: type, sent: flags & 1 == 0)
    case .monitor:
      applyMonitorHeader(
        &frame,
        adapter: UInt16(truncatingIfNeeded: flags >> 16),
        opcode: UInt16(truncatingIfNeeded: flags)
      )
    }
    observeClip(kept: frame.length, of: frame.originalLength)
    if time != 0 || frame.kind != .text { observe(time: time) }
    window.take(BtsnoopFormat.recordHeaderLength &+ length)
    return true
  }

  /// The counter runs from the logger's start, so the first record's value is where counting begins.
  @inline(never) private mutating func observe(dropCounter: UInt32) {
    if let before = btsnoop.drops, dropCounter > before {
      drops &+= UInt64(dropCounter - before)
      note(.droppedPackets, amount: Int64(dropCounter - before))
    }
    btsnoop.drops = dropCounter
  }
}

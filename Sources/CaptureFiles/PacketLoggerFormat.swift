/// Apple PacketLogger: records without a file header, one byte order for the whole file (captures.md 3).
enum PacketLoggerFormat {
  static let recordHeaderLength = 13
  private static let probedRecords = 5

  /// There is no magic: up to five records must look like records.
  static func probe(_ window: inout RecordWindow) -> Probe {
    guard window.have(recordHeaderLength) else { return .notMine }
    if plausible(&window, bigEndian: true) { return .mine(.packetLogger(bigEndian: true)) }
    if plausible(&window, bigEndian: false) { return .mine(.packetLogger(bigEndian: false)) }
    return .notMine
  }

  private static func plausible(_ window: inout RecordWindow, bigEndian: Bool) -> Bool {
    var place = 0
    for record in 0..<probedRecords {
      guard window.have(place + recordHeaderLength) else { return record > 0 }
      let length = Int(window.u32(place, bigEndian: bigEndian))
      guard (9..<65_536).contains(length), window.u32(place + 8, bigEndian: bigEndian) < 1_000_000,
        isDefined(window.u8(place + 12))
      else { return false }
      place += 4 + length
    }
    return true
  }

  /// The types of the sheet's table; LMP and vendor diagnostics among them.
  private static func isDefined(_ type: UInt8) -> Bool {
    switch type {
    case 0x00...0x03, 0x08...0x0B, 0x12, 0x13, 0xF7...0xFE: true
    default: false
    }
  }

  /// Nil for a type that is passed over.
  @inline(__always) static func kind(_ type: UInt8) -> FrameKind? {
    switch type {
    case 0x00: .command
    case 0x01: .event
    case 0x02: .aclSent
    case 0x03: .aclReceived
    case 0x08: .scoSent
    case 0x09: .scoReceived
    case 0x0A, 0x0B, 0xFD, 0xFE: .other
    case 0x12: .isoSent
    case 0x13: .isoReceived
    case 0xF7...0xFC: .text
    default: nil
    }
  }
}

extension CaptureReader {
  /// The format has no original length, so the packet's own header must tell what was cut: octets of the packet with that
  /// header (Core Vol 4 Part E 5.4), 0 where it does not tell.
  private mutating func claimedLength(_ kind: FrameKind, _ length: Int) -> Int {
    let packet = PacketLoggerFormat.recordHeaderLength
    switch kind {
    case .command where length >= 3: return 3 + Int(window.u8(packet + 2))
    case .event where length >= 2: return 2 + Int(window.u8(packet + 1))
    case .aclSent where length >= 4, .aclReceived where length >= 4:
      return 4 + Int(window.u16(packet + 2, bigEndian: false))
    default: return 0
    }
  }

  mutating func nextPacketLogger(bigEndian: Bool) -> CapturedFrame? {
    while window.have(PacketLoggerFormat.recordHeaderLength) {
      let claimed = window.u32(0, bigEndian: bigEndian)
      guard claimed >= 9, claimed <= UInt32(RecordWindow.recordBound) else {
        endAtBadLength(Int64(claimed))
        return nil
      }
      let size = 4 + Int(claimed)
      guard window.have(size) else { break }
      if claimed == 9, !goesOnWithEmptyRecord() { return nil }
      frameCount &+= 1
      let seconds = window.u32(4, bigEndian: bigEndian)
      let microseconds = window.u32(8, bigEndian: bigEndian)
      let type = window.u8(12)
      guard let kind = PacketLoggerFormat.kind(type) else {
        note(.unknownRecord, amount: Int64(type))
        window.take(size)
        continue
      }
      var length = size - PacketLoggerFormat.recordHeaderLength
      if kind == .text {
        while length > 0, window.u8(PacketLoggerFormat.recordHeaderLength + length - 1) == 0 { length -= 1 }
      }
      let time = Int64(seconds) * 1_000_000 + Int64(microseconds)
      if time != 0 || kind != .text { observe(time: time) }
      let frame = CapturedFrame(
        number: frameCount,
        kind: kind,
        adapter: 0,
        time: time,
        offset: window.start + PacketLoggerFormat.recordHeaderLength,
        length: length,
        originalLength: max(length, claimedLength(kind, length))
      )
      observeClip(kept: frame.length, of: frame.originalLength)
      window.take(size)
      return frame
    }
    endAtTail()
    return nil
  }
}

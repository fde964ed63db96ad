/// Which way a packet went, where the container and not the link type says it.
enum PacketDirection: Sendable {
  case unknown
  case sent
  case received
}

extension CaptureReader {
  /// The frame in a packet of one of the readable link types; `at` counts from the window's start (captures.md 2).
  mutating func linkFrame(
    _ type: HCILinkType,
    at place: Int,
    captured: Int,
    original: Int,
    time: Int64,
    direction: PacketDirection
  ) -> CapturedFrame {
    let headerLength = type == .uart ? 0 : 4
    let taken = min(headerLength, captured)
    var frame = CapturedFrame(
      number: frameCount,
      kind: .other,
      adapter: 0,
      time: time,
      offset: window.start + place + taken,
      length: captured - taken,
      originalLength: max(captured, original) - taken
    )
    if captured < headerLength {
      note(.unknownRecord, amount: Int64(captured))
    } else {
      switch type {
      case .uart: applyType(&frame, at: place, direction: direction)
      case .uartWithDirection:
        let octet = frame.length > 0 ? window.u8(place + 4) : 0
        stripTypeOctet(&frame, type: octet, sent: window.u32(place, bigEndian: true) & 1 == 0)
      case .monitor:
        let adapter = window.u16(place, bigEndian: true)
        applyMonitorHeader(&frame, adapter: adapter, opcode: window.u16(place + 2, bigEndian: true))
      }
    }
    observeClip(kept: frame.length, of: frame.originalLength)
    if time != 0 || frame.kind != .text { observe(time: time) }
    return frame
  }

  /// Link type 187 says nothing of direction: the container may, else the packet-boundary flag of a start fragment does.
  private mutating func applyType(_ frame: inout CapturedFrame, at place: Int, direction: PacketDirection) {
    let type = frame.length > 0 ? window.u8(place) : 0
    stripTypeOctet(&frame, type: type, sent: direction == .sent)
    guard type == 0x02, direction == .unknown else { return }
    frame.kind = .aclUndirected
    guard frame.length >= 2 else { return }
    switch window.u8(place + 2) >> 4 & 3 {
    case 0b00: frame.kind = .aclSent
    case 0b10: frame.kind = .aclReceived
    default: break
    }
  }
}

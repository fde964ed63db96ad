/// pcap: a 24-octet file header and 16-octet record headers in the writer's byte order (captures.md 2).
enum PcapFormat {
  static let headerLength = 24
  static let recordHeaderLength = 16

  static func probe(_ window: inout RecordWindow) -> Probe {
    guard window.have(4) else { return .notMine }
    let bigEndian: Bool
    let nanoseconds: Bool
    switch window.u32(0, bigEndian: true) {
    case 0xA1B2_C3D4: (bigEndian, nanoseconds) = (true, false)
    case 0xA1B2_3C4D: (bigEndian, nanoseconds) = (true, true)
    case 0xD4C3_B2A1: (bigEndian, nanoseconds) = (false, false)
    case 0x4D3C_B2A1: (bigEndian, nanoseconds) = (false, true)
    default: return .notMine
    }
    guard window.have(headerLength) else {
      return .refused(
        Refusal(
          what: "a pcap file cut inside its 24-octet header (\(window.available) octets)",
          hint: "Copy the file again, after the capture has stopped."
        )
      )
    }
    let number = UInt16(truncatingIfNeeded: window.u32(20, bigEndian: bigEndian))
    guard let type = HCILinkType(rawValue: number) else {
      return .refused(LinkTypeRefusal.refusal(number, container: "pcap"))
    }
    return .mine(.pcap(type, nanoseconds: nanoseconds, bigEndian: bigEndian))
  }
}

/// What the header of a pcap file said.
struct PcapState: Sendable {
  var linkType = HCILinkType.uart
  var nanoseconds = false
  var bigEndian = false
}

extension CaptureReader {
  mutating func nextPcap() -> CapturedFrame? {
    let bigEndian = pcap.bigEndian
    guard window.have(PcapFormat.recordHeaderLength) else {
      endAtTail()
      return nil
    }
    let seconds = window.u32(0, bigEndian: bigEndian)
    let fraction = window.u32(4, bigEndian: bigEndian)
    let included = window.u32(8, bigEndian: bigEndian)
    let original = window.u32(12, bigEndian: bigEndian)
    guard included <= UInt32(RecordWindow.recordBound) else {
      endAtBadLength(Int64(included))
      return nil
    }
    guard window.have(PcapFormat.recordHeaderLength + Int(included)) else {
      endAtTail()
      return nil
    }
    if included == 0, !goesOnWithEmptyRecord(header: PcapFormat.recordHeaderLength) { return nil }
    frameCount &+= 1
    let time = Int64(seconds) * 1_000_000 + Int64(pcap.nanoseconds ? fraction / 1000 : fraction)
    let frame = linkFrame(
      pcap.linkType,
      at: PcapFormat.recordHeaderLength,
      captured: Int(included),
      original: Int(original),
      time: time,
      direction: .unknown
    )
    window.take(PcapFormat.recordHeaderLength + Int(included))
    return frame
  }
}

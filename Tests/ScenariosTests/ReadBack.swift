import CaptureFiles
import Scenarios

/// The frames a reader finds in a capture; the drop counter is left at 0.
func readBack(_ octets: [UInt8]) throws -> [RenderedFrame] {
  var reader = try CaptureReader.open(.memory(octets, name: "scenario"))
  var frames: [RenderedFrame] = []
  while let frame = reader.next() {
    let bytes = reader.bytes(of: frame).withUnsafeBytes { Array($0) }
    frames.append(
      RenderedFrame(
        kind: frame.kind,
        adapter: frame.adapter,
        time: frame.time,
        octets: bytes,
        originalLength: frame.originalLength
      )
    )
  }
  return frames
}

/// Every format that can be written.
let formats: [WritableFormat] = [
  .btsnoop(.unencapsulated), .btsnoop(.uart), .btsnoop(.monitor), .pcap(.uart), .pcap(.uartWithDirection),
  .pcap(.monitor), .pcap(.monitor, nanoseconds: true, bigEndian: true), .pcapng, .packetLogger(bigEndian: true),
  .packetLogger(bigEndian: false),
]

extension WritableFormat {
  /// What is left of a frame in the format; nil where the format cannot carry it.
  func carried(_ frame: RenderedFrame) -> RenderedFrame? {
    var frame = frame
    frame.drops = 0
    let isPacket = [.command, .event, .aclSent, .aclReceived].contains(frame.kind)
    switch self {
    case .btsnoop(.monitor), .pcap(.monitor, _, _): return frame
    case .packetLogger where frame.kind == .text: break
    default: if !isPacket || frame.adapter != 0 { return nil }
    }
    frame.adapter = 0
    if case .pcap(.uart, _, _) = self, frame.kind == .aclSent || frame.kind == .aclReceived,
      frame.octets[1] >> 4 & 3 == 1
    {
      frame.kind = .aclUndirected
    }
    return frame
  }
}

/// The L2CAP PDUs of a rendering with their senders' direction, put together from their fragments.
func units(_ frames: [RenderedFrame]) -> [Unit] {
  var open: [Unit] = []
  var done: [Unit] = []
  for frame in frames where frame.kind == .aclSent || frame.kind == .aclReceived {
    let isSent = frame.kind == .aclSent
    let data = Array(frame.octets.dropFirst(4))
    if frame.octets[1] >> 4 & 3 == 1, let index = open.lastIndex(where: { $0.isSent == isSent }) {
      open[index].octets += data
    } else {
      open.append(Unit(isSent: isSent, octets: data))
    }
    if let index = open.firstIndex(where: \.isComplete) { done.append(open.remove(at: index)) }
  }
  return done + open
}

/// An L2CAP PDU.
struct Unit: Hashable {
  var isSent: Bool
  var octets: [UInt8]

  var isComplete: Bool { octets.count >= 4 && octets.count == 4 + Int(octets[0]) + Int(octets[1]) << 8 }
  var channel: UInt16 { octets.count >= 4 ? UInt16(octets[2]) | UInt16(octets[3]) << 8 : 0 }
  var payload: [UInt8] { Array(octets.dropFirst(4)) }
}

import BluetoothWire
import CaptureFiles
import LinkTrace
import Scenarios

/// Frames written down one by one, 10 ms apart.
struct Script {
  var frames: [RenderedFrame] = []
  var adapter: UInt16 = 0
  var handle: UInt16 = 0x0040
  var time: Int64 = 1_700_000_000_000_000

  /// The tracker's view of them.
  var trace: Trace { Trace(frames) }

  mutating func add(_ kind: FrameKind, _ octets: [UInt8], original: Int? = nil) {
    time += 10_000
    frames.append(RenderedFrame(kind: kind, adapter: adapter, time: time, octets: octets, originalLength: original))
  }

  /// LE Connection Complete as central, to F0:0D:CA:FE:00:01 or another address.
  mutating func connect(
    peer: DeviceAddress = DeviceAddress(value: 0xF00D_CAFE_0001, isRandom: true),
    interval: UInt16 = 24,
    latency: UInt16 = 0
  ) {
    add(
      .event,
      HCIEncoding.lowEnergyEvent(
        0x01,
        [0, UInt8(truncatingIfNeeded: handle), UInt8(handle >> 8), 0, peer.isRandom ? 1 : 0] + peer.octets
          + handleOctets(interval) + handleOctets(latency) + [0x2A, 0, 0]
      )
    )
  }

  mutating func disconnect(reason: UInt8 = 0x13) {
    add(.event, HCIEncoding.event(0x05, [0, UInt8(truncatingIfNeeded: handle), UInt8(handle >> 8), reason]))
  }

  /// A whole L2CAP PDU in one ACL packet.
  mutating func channel(_ kind: FrameKind, _ channel: UInt16, _ payload: [UInt8]) {
    acl(kind, isStart: true, LogicalLinkEncoding.frame(channel: channel, payload))
  }

  mutating func sent(_ payload: [UInt8]) { channel(.aclSent, 4, payload) }
  mutating func received(_ payload: [UInt8]) { channel(.aclReceived, 4, payload) }

  /// An ATT PDU of which the logger kept so many octets.
  mutating func cut(_ kind: FrameKind, _ payload: [UInt8], to kept: Int) {
    acl(kind, isStart: true, LogicalLinkEncoding.frame(channel: 4, payload), kept: 4 + kept)
  }

  /// A fragment as it stands, with fewer octets kept than it had where `kept` says so.
  mutating func acl(_ kind: FrameKind, isStart: Bool, _ data: [UInt8], kept: Int? = nil) {
    let boundary: HCIEncoding.PacketBoundary =
      !isStart ? .continuation : kind == .aclReceived ? .firstFromController : .firstFromHost
    let whole = HCIEncoding.acl(handle: handle, boundary: boundary, data)
    add(kind, kept.map { Array(whole.prefix(4 + $0)) } ?? whole, original: whole.count)
  }
}

/// A glucose measurement of 10 octets with a valid date.
func measurement(_ number: UInt16, minute: UInt8 = 0) -> [UInt8] {
  [0x00, UInt8(truncatingIfNeeded: number), UInt8(number >> 8), 0xE8, 0x07, 5, 17, 8, minute, 0]
}

func handleOctets(_ handle: UInt16) -> [UInt8] { [UInt8(truncatingIfNeeded: handle), UInt8(handle >> 8)] }

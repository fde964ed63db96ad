import BluetoothWire
import CaptureFiles

/// Finds the octets of a frame that are keys or give a key away, so that no dump shows them.
struct KeyMaterial {
  /// Octets of a key that continue in the next fragment, by adapter, handle and direction.
  private var pending: [UInt64: Int] = [:]

  /// The frame's octets with keys as zeros; nil for frames that are not shown at all (control channel of the host).
  mutating func shown(_ frame: CapturedFrame, _ bytes: RawSpan) -> [UInt8]? {
    guard frame.kind != .other else { return nil }
    var octets = bytes.copied()
    for place in secret(frame, bytes) where octets.indices.contains(place) { octets[place] = 0 }
    return octets
  }

  private mutating func secret(_ frame: CapturedFrame, _ bytes: RawSpan) -> Range<Int> {
    switch frame.kind {
    case .command: return bytes.byteCount >= 3 ? Self.command(bytes.u16(at: 0)) : 0..<0
    case .event: return bytes.byteCount >= 2 ? Self.event(bytes.u8(at: 0)) : 0..<0
    case .aclSent, .aclReceived, .aclUndirected: return fragment(frame, bytes)
    default: return 0..<0
    }
  }

  /// Parameters that are keys, counted from the start of the command (Core Vol 4 Part E 7.1, 7.3, 7.8).
  private static func command(_ opcode: UInt16) -> Range<Int> {
    switch opcode {
    case 0x2019: 5..<31
    case 0x201A: 5..<21
    case 0x2027: 10..<42
    case 0x2017: 3..<19
    case 0x040B, 0x040D, 0x042E: 9..<260
    case 0x0430: 9..<260
    case 0x0C11: 4..<260
    default: 0..<0
    }
  }

  private static func event(_ code: UInt8) -> Range<Int> {
    switch code {
    case 0x18: 8..<24
    case 0x15: 3..<260
    case 0x3B: 8..<12
    default: 0..<0
    }
  }

  private mutating func fragment(_ frame: CapturedFrame, _ bytes: RawSpan) -> Range<Int> {
    guard bytes.byteCount >= 4 else { return 0..<0 }
    let header = bytes.u16(at: 0)
    let key = UInt64(frame.adapter) << 20 | UInt64(header & 0x0FFF) << 4 | UInt64(frame.kind.rawValue & 0x0F)
    if header >> 12 & 3 == 1 {
      guard let left = pending[key] else { return 0..<0 }
      let taken = min(left, bytes.byteCount - 4)
      pending[key] = left > taken ? left - taken : nil
      return 4..<(4 + taken)
    }
    pending[key] = nil
    guard bytes.byteCount >= 9, bytes.u16(at: 6) == 0x0006 else { return 0..<0 }
    // The keys of Encryption, Identity and Signing Information (Core Vol 3 Part H 3.6), and what the key of a pairing
    // without a secret can be found from: Confirm, Random, Public Key, DHKey Check (3.5).
    guard [0x03, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0D].contains(bytes.u8(at: 8)) else { return 0..<0 }
    let total = Int(bytes.u16(at: 4))
    let here = bytes.byteCount - 8
    if total > here { pending[key] = total - here }
    return 9..<bytes.byteCount
  }
}

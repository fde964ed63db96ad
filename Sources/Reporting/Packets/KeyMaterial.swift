import BluetoothWire
import CaptureFiles

/// Finds the octets of a frame that are keys or give a key away, so that no dump shows them.
struct KeyMaterial {
  /// What is known of a PDU whose fragments are not all there, by adapter, handle and direction.
  private var open: [UInt64: OpenPDU] = [:]

  private struct OpenPDU {
    /// Length, channel and code: the first octets of the PDU.
    var header: [UInt8] = []
    /// True where the logger cut the header away: then nothing of the rest is shown.
    var isCut = false

    static let headerLength = 5

    var isComplete: Bool { header.count == Self.headerLength }

    /// The keys of Encryption, Identity and Signing Information (Core Vol 3 Part H 3.6), and what the key of a pairing
    /// without a secret can be found from: Confirm, Random, Public Key, DHKey Check (3.5). Channels 6 and 7.
    var isSecret: Bool {
      guard isComplete else { return isCut }
      return [0x06, 0x07].contains(header[2]) && header[3] == 0
        && [0x03, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0D].contains(header[4])
    }
  }

  /// The frame's octets with keys as zeros; nil for frames that are not shown at all (control channel of the host).
  ///
  /// In a logger's text the digits of keys are `x`.
  mutating func shown(_ frame: CapturedFrame, _ bytes: RawSpan) -> [UInt8]? {
    guard frame.kind != .other else { return nil }
    var octets = bytes.copied()
    if frame.kind == .text { return KeyText.masked(octets) }
    for place in secret(frame, bytes).clamped(to: octets.indices) { octets[place] = 0 }
    return octets
  }

  private mutating func secret(_ frame: CapturedFrame, _ bytes: RawSpan) -> Range<Int> {
    switch frame.kind {
    case .command: return KeyPlaces.command(bytes)
    case .event: return KeyPlaces.event(bytes)
    case .aclSent, .aclReceived, .aclUndirected: return fragment(frame, bytes)
    default: return 0..<0
    }
  }

  private mutating func fragment(_ frame: CapturedFrame, _ bytes: RawSpan) -> Range<Int> {
    guard bytes.byteCount >= 4 else { return 0..<0 }
    let header = bytes.u16(at: 0)
    let link = UInt64(frame.adapter) << 20 | UInt64(header & 0x0FFF) << 4
    let key = link | UInt64(frame.kind.rawValue & 0x0F)
    let isContinuation = header >> 12 & 3 == 1
    if isContinuation && frame.kind == .aclUndirected {
      // Whose it is need not be known: a PDU of either side that is or may be secret hides it.
      let mayBeSecret = [FrameKind.aclSent, .aclReceived].contains { kind in
        open[link | UInt64(kind.rawValue & 0x0F)] != nil
      }
      return mayBeSecret ? 4..<bytes.byteCount : 0..<0
    }
    guard var unit = isContinuation ? open[key] : OpenPDU() else { return 0..<0 }
    var place = 4
    while place < bytes.byteCount && !unit.isComplete {
      unit.header.append(bytes.u8(at: place))
      place += 1
    }
    if frame.isClipped && !unit.isComplete { unit.isCut = true }
    open[key] = unit.isSecret || !unit.isComplete ? unit : nil
    return unit.isSecret ? place..<bytes.byteCount : 0..<0
  }
}

import BluetoothWire

/// Compares the packets at the beginning of a file with the lengths in their own headers (Core Vol 4 Part E 5.4).
///
/// A file that names the wrong link type gives frames that are shifted by an octet or more: hardly any of them fits.
struct PacketLengthCheck: Sendable {
  private static let wanted: UInt32 = 256
  private static let least: UInt32 = 8

  private var looked: UInt32 = 0
  private var odd: UInt32 = 0
  private var firstOdd: UInt32 = 0

  /// False once enough packets were looked at.
  var isOpen: Bool { looked < Self.wanted }

  mutating func look(_ frame: CapturedFrame, _ octets: RawSpan) {
    let expected: Int
    switch frame.kind {
    case .command where octets.byteCount >= 3: expected = 3 + Int(octets.u8(at: 2))
    case .event where octets.byteCount >= 2: expected = 2 + Int(octets.u8(at: 1))
    case .aclSent where octets.byteCount >= 4, .aclReceived where octets.byteCount >= 4,
      .aclUndirected where octets.byteCount >= 4:
      expected = 4 + Int(octets.u16(at: 2))
    default: return
    }
    looked &+= 1
    guard expected != Int(frame.originalLength) else { return }
    odd &+= 1
    if firstOdd == 0 { firstOdd = frame.number }
  }

  /// Ends the check; what it found, nil where most packets are as long as they say.
  mutating func conclude() -> CaptureNote? {
    let isOdd = looked >= Self.least && odd > looked / 2
    let note = CaptureNote(.impossiblePackets, frame: firstOdd, amount: Int64(odd))
    looked = Self.wanted
    return isOdd ? note : nil
  }
}

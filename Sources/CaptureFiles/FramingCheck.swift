import BluetoothWire

/// Whether the first packets of a btsnoop file are laid out as its header says, or as the other HCI datalink has them.
///
/// A header that says 1001 over packets with a type octet, or 1002 over packets without one, makes nonsense of every
/// packet. One packet may fit both by chance or none for its own reasons; four of eight that fit only the other do not.
struct FramingCheck: Sendable {
  private static let looked: UInt8 = 8
  private static let enough: UInt8 = 4

  private var seen: UInt8 = 0
  private var misfits: UInt8 = 0
  private var first: UInt32 = 0

  /// True while packets are still to be looked at.
  @inline(__always) var isOpen: Bool { seen < Self.looked }

  /// Takes a packet; gives the frame of the first misfit once there are enough of them.
  ///
  /// - Parameters:
  ///   - octets: what the file holds of the packet.
  ///   - original: how many octets it had.
  mutating func take(
    _ octets: RawSpan,
    original: Int,
    flags: UInt32,
    datalink: BtsnoopDatalink,
    frame: UInt32
  ) -> UInt32? {
    seen += 1
    let isBare = Self.fits(octets, at: 0, original, HCIFraming.kind(btsnoopFlags: flags))
    let isTyped = Self.fitsWithType(octets, original, flags)
    guard datalink == .unencapsulated ? isTyped && !isBare : isBare && !isTyped else { return nil }
    misfits += 1
    if misfits == 1 { first = frame }
    guard misfits == Self.enough else { return nil }
    seen = Self.looked
    return first
  }

  /// A type octet that agrees with the flags, and a packet of its kind.
  private static func fitsWithType(_ octets: RawSpan, _ original: Int, _ flags: UInt32) -> Bool {
    guard octets.byteCount > 1, let kind = HCIFraming.kind(h4: octets.u8(at: 0), sent: flags & 1 == 0) else {
      return false
    }
    let isPlain = kind == .command || kind == .event
    return isPlain == (flags & 2 != 0) && fits(octets, at: 1, original - 1, kind)
  }

  /// True where the packet's own length field gives the length the file says it had (Core Vol 4 Part E 5.4).
  private static func fits(_ octets: RawSpan, at start: Int, _ original: Int, _ kind: FrameKind) -> Bool {
    let left = octets.byteCount - start
    switch kind {
    case .command, .scoSent, .scoReceived: return left >= 3 && original == 3 + Int(octets.u8(at: start + 2))
    case .event: return left >= 2 && original == 2 + Int(octets.u8(at: start + 1))
    default: return left >= 4 && original == 4 + Int(octets.u16(at: start + 2) & 0x3FFF)
    }
  }
}

extension CaptureReader {
  /// Looks at one of the first packets and notes where they are laid out in another way than the file's header says.
  @inline(never)
  mutating func checkFraming(_ datalink: BtsnoopDatalink, flags: UInt32, length: Int, original: Int) {
    let start = window.start + BtsnoopFormat.recordHeaderLength
    var framing = btsnoop.framing
    let misfit = framing.take(
      window.bytes(at: start, count: length),
      original: max(length, original),
      flags: flags,
      datalink: datalink,
      frame: frameCount
    )
    btsnoop.framing = framing
    guard let misfit else { return }
    let other = datalink == .uart ? BtsnoopDatalink.unencapsulated : .uart
    log.add(.otherFraming, frame: misfit, amount: Int64(other.rawValue))
  }
}

/// Builds a capture file record by record.
///
/// A record of a kind the format cannot carry is dropped and counted. Octets are the bare HCI packet, as a reader
/// gives them.
public struct CaptureWriter: Sendable {
  /// What is being written.
  public let format: WritableFormat
  /// Records that are in the file.
  public private(set) var recordCount = 0
  /// Records the format cannot carry.
  public private(set) var droppedCount = 0
  /// Lost packets so far, written into btsnoop's drop counter of the records that follow.
  public var drops: UInt32 = 0

  private var output: RecordBytes

  public init(format: WritableFormat) {
    self.format = format
    switch format {
    case .btsnoop(let datalink):
      output = RecordBytes(bigEndian: true)
      output.append(BtsnoopFormat.magic)
      output.u32(1)
      output.u32(datalink.rawValue)
    case .pcap(let type, let nanoseconds, let bigEndian):
      output = RecordBytes(bigEndian: bigEndian)
      output.u32(nanoseconds ? 0xA1B2_3C4D : 0xA1B2_C3D4)
      output.u16(2)
      output.u16(4)
      output.u32(0)
      output.u32(0)
      output.u32(UInt32(RecordWindow.recordBound))
      output.u32(UInt32(type.rawValue))
    case .pcapng:
      output = RecordBytes(bigEndian: false)
      output.u32(PcapngFormat.sectionHeader)
      output.u32(28)
      output.u32(PcapngFormat.byteOrderMagic)
      output.u16(1)
      output.u16(0)
      output.u64(.max)
      output.u32(28)
      output.u32(1)
      output.u32(20)
      output.u16(HCILinkType.uartWithDirection.rawValue)
      output.u16(0)
      output.u32(UInt32(RecordWindow.recordBound))
      output.u32(20)
    case .packetLogger(let bigEndian):
      output = RecordBytes(bigEndian: bigEndian)
    }
  }

  /// Appends one record; `originalLength` where the packet had more octets than are given.
  ///
  /// `time` is in microseconds since 1970. Octets beyond the bound every reader has (262,144 a record) drop the record.
  public mutating func write(
    kind: FrameKind,
    adapter: UInt16 = 0,
    time: Int64,
    octets: [UInt8],
    originalLength: Int? = nil
  ) {
    guard octets.count <= RecordWindow.recordBound - 16, let header = PacketHeader(format, kind, adapter: adapter)
    else {
      droppedCount += 1
      return
    }
    let included = header.octets.count + octets.count
    let packet = max(octets.count, originalLength ?? octets.count)
    let original = UInt32(clamping: header.octets.count + packet)
    recordCount += 1
    switch format {
    case .btsnoop:
      output.u32(original)
      output.u32(UInt32(included))
      output.u32(header.flags)
      output.u32(drops)
      output.u64(UInt64(bitPattern: time &+ BtsnoopFormat.epoch))
      output.append(header.octets)
      output.append(octets)
    case .pcap(_, let nanoseconds, _):
      let (seconds, microseconds) = Self.split(time)
      output.u32(seconds)
      output.u32(nanoseconds ? microseconds * 1000 : microseconds)
      output.u32(UInt32(included))
      output.u32(original)
      output.append(header.octets)
      output.append(octets)
    case .pcapng:
      let padding = -included & 3
      let total = UInt32(32 + included + padding)
      output.u32(6)
      output.u32(total)
      output.u32(0)
      output.u32(UInt32(truncatingIfNeeded: time >> 32))
      output.u32(UInt32(truncatingIfNeeded: time))
      output.u32(UInt32(included))
      output.u32(original)
      output.append(header.octets)
      output.append(octets)
      output.append([UInt8](repeating: 0, count: padding))
      output.u32(total)
    case .packetLogger:
      let (seconds, microseconds) = Self.split(time)
      output.u32(UInt32(9 + octets.count))
      output.u32(seconds)
      output.u32(microseconds)
      output.append(header.octets)
      output.append(octets)
    }
  }

  /// Appends a frame of a reader with its octets.
  public mutating func write(_ frame: CapturedFrame, octets: [UInt8]) {
    write(
      kind: frame.kind,
      adapter: frame.adapter,
      time: frame.time,
      octets: octets,
      originalLength: frame.originalLength
    )
  }

  /// The file so far.
  public func finish() -> [UInt8] { output.octets }

  /// Writes the file so far to `path`, replacing what is there.
  public func finish(to path: String) throws(CaptureError) { try FileSink.write(output.octets, to: path) }

  /// Whole seconds and the microseconds of the second; times outside of 32 bits are clamped.
  private static func split(_ time: Int64) -> (seconds: UInt32, microseconds: UInt32) {
    let seconds = time >= 0 ? time / 1_000_000 : 0
    return (UInt32(clamping: seconds), time >= 0 ? UInt32(time % 1_000_000) : 0)
  }
}

/// Integers in the byte order of the file.
private struct RecordBytes: Sendable {
  let bigEndian: Bool
  private(set) var octets: [UInt8] = []

  init(bigEndian: Bool) { self.bigEndian = bigEndian }

  mutating func u16(_ value: UInt16) { append(UInt64(value), count: 2) }
  mutating func u32(_ value: UInt32) { append(UInt64(value), count: 4) }
  mutating func u64(_ value: UInt64) { append(value, count: 8) }
  mutating func append(_ more: [UInt8]) { octets.append(contentsOf: more) }

  private mutating func append(_ value: UInt64, count: Int) {
    for index in 0..<count {
      octets.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * (bigEndian ? count - 1 - index : index))))
    }
  }
}

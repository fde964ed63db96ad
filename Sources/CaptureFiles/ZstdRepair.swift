/// Makes of a small Zstandard stream that ends early one that ends with its last whole block (RFC 8878 3.1).
///
/// An unpacker that meets the early end inside its first piece of output would give nothing of it.
enum ZstdRepair {
  private static let magic: UInt32 = 0xFD2F_B528
  /// The bound of what is looked at: a window always holds as much, and more is not one piece of output.
  private static let bound = RecordWindow.recordBound

  /// What is to be unpacked: the input from its first octet, or what is whole of it.
  static func source(_ window: consuming RecordWindow) -> ByteSource {
    if window.source.isSeekable, window.have(4), window.u32(0, bigEndian: false) == magic {
      let packed = window.peek(bound)
      if packed.count < bound, let whole = wholeBlocks(of: packed) {
        let source = MemorySource(whole)
        source.failure = "the compressed data ends early"
        return source
      }
    }
    return window.putBack()
  }

  /// A stream of the blocks that are all there; nil for a stream that is whole, without a whole block, or not understood.
  static func wholeBlocks(of packed: [UInt8]) -> [UInt8]? {
    var whole: [UInt8] = []
    var at = 0
    while at < packed.count {
      guard let start = number(packed, at, 4) else { return whole.isEmpty ? nil : whole }
      if start & 0xFFFF_FFF0 == 0x184D_2A50 {
        guard let size = number(packed, at + 4, 4), size <= packed.count - at - 8 else {
          return whole.isEmpty ? nil : whole
        }
        at += 8 + size
        continue
      }
      guard start == Int(magic) else { return nil }
      guard let header = Header(packed, at + 4) else { return whole.isEmpty ? nil : whole }
      let (end, hasLast) = blocks(packed, from: header.end)
      let frameEnd = end + (header.hasSum ? 4 : 0)
      if hasLast, frameEnd <= packed.count {
        whole += packed[at..<frameEnd]
        at = frameEnd
        continue
      }
      guard end > header.end else { return whole.isEmpty ? nil : whole }
      // The content's size and sum would not fit any more; an empty last block ends the frame.
      whole += packed[at..<(at + 4)] + header.withoutSizeAndSum + packed[header.end..<end]
      return hasLast ? whole : whole + [0x01, 0x00, 0x00]
    }
    return nil
  }

  /// The end of the last block that is all there, and whether it is the frame's last.
  private static func blocks(_ packed: [UInt8], from start: Int) -> (end: Int, hasLast: Bool) {
    var at = start
    while let header = number(packed, at, 3) {
      // A block of one octet, repeated, stores that octet only.
      let stored = header >> 1 & 3 == 1 ? 1 : header >> 3
      guard stored <= packed.count - at - 3 else { break }
      at += 3 + stored
      if header & 1 == 1 { return (at, true) }
    }
    return (at, false)
  }

  private static func number(_ octets: [UInt8], _ at: Int, _ count: Int) -> Int? {
    guard at + count <= octets.count else { return nil }
    return octets[at..<(at + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// The header of a frame, after its magic number.
  private struct Header {
    let end: Int
    let hasSum: Bool
    let withoutSizeAndSum: [UInt8]

    init?(_ packed: [UInt8], _ at: Int) {
      guard at < packed.count else { return nil }
      let descriptor = packed[at]
      let isSingle = descriptor & 0x20 != 0
      let dictionary = [0, 1, 2, 4][Int(descriptor & 3)]
      let size = [isSingle ? 1 : 0, 2, 4, 8][Int(descriptor >> 6)]
      let windowEnd = at + 1 + (isSingle ? 0 : 1)
      end = windowEnd + dictionary + size
      guard end <= packed.count else { return nil }
      hasSum = descriptor & 4 != 0
      let window = isSingle ? Self.window(packed[(end - size)..<end]) : packed[at + 1]
      withoutSizeAndSum = [descriptor & 3, window] + packed[windowEnd..<(windowEnd + dictionary)]
    }

    /// The descriptor of a window that holds a content of this size, up to 128 MiB.
    private static func window(_ size: ArraySlice<UInt8>) -> UInt8 {
      let bytes = size.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let content = size.count == 2 ? bytes + 256 : bytes
      var exponent: UInt8 = 0
      while exponent < 17, UInt64(1024) << UInt64(exponent) < content { exponent += 1 }
      return exponent << 3
    }
  }
}

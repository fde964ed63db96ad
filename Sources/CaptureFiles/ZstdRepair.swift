/// Makes of a Zstandard stream that ends early one that ends with its last whole block (RFC 8878 3.1).
///
/// An unpacker that meets the early end inside a piece of its output gives nothing of that piece. Of a compressed block
/// that is cut nothing can be had at all: its sequences are read from the block's last octet backwards. A stored block
/// gives what is there of it.
enum ZstdRepair {
  private static let magic: UInt32 = 0xFD2F_B528

  /// What is to be unpacked: the input from its first octet, or what is whole of it.
  static func source(_ window: consuming RecordWindow, name: String) throws(CaptureError) -> ByteSource {
    let source = window.source
    guard source.isSeekable, let size = source.size, window.taken == 0, window.have(4),
      window.u32(0, bigEndian: false) == magic, source.seek(to: 0)
    else { return window.putBack() }
    var scan = RecordWindow(source)
    let found = cut(&scan, size)
    guard source.seek(to: 0), let found else { return source }
    guard found.hasAnything else {
      throw CaptureError(
        .unreadable,
        "\(name) cannot be unpacked: the compressed data ends inside its first block, and a Zstandard block is unpacked "
          + "from its end.",
        hint: "Copy the file again."
      )
    }
    return SplicedSource(
      source,
      [.range(0..<found.whole), .octets(found.header), .range(found.blocks), .octets(found.end)],
      failure: "the compressed data ends early"
    )
  }

  /// What there is of a stream that ends early.
  private struct Cut {
    /// The octets of the frames that are whole.
    var whole: Int
    /// Of the frame after them: a header without size and sum, the blocks that are all there, and their end.
    var header: [UInt8] = []
    var blocks = 0..<0
    var end: [UInt8] = []

    var hasAnything: Bool { whole > 0 || !blocks.isEmpty || end.count > 3 }
  }

  /// Nil for a stream that is whole or not understood.
  private static func cut(_ window: inout RecordWindow, _ size: Int) -> Cut? {
    while true {
      let whole = Int(window.taken)
      if whole == size { return nil }
      guard window.have(4) else { return Cut(whole: whole) }
      let start = window.u32(0, bigEndian: false)
      if start & 0xFFFF_FFF0 == 0x184D_2A50 {
        guard window.have(8), Int(window.u32(4, bigEndian: false)) <= size - whole - 8,
          window.skip(8 + Int(window.u32(4, bigEndian: false)))
        else { return Cut(whole: whole) }
        continue
      }
      guard start == magic else { return nil }
      guard let header = Header(window.peek(18)), window.skip(header.length) else { return Cut(whole: whole) }
      let first = Int(window.taken)
      guard let last = blocks(&window, size) else { return nil }
      let sum = last.isLast && header.hasSum ? 4 : 0
      if last.isLast, sum <= size - Int(window.taken) {
        guard window.skip(sum) else { return nil }
        continue
      }
      // The content's size and sum would not fit any more; an empty last block ends the frame.
      return Cut(
        whole: whole,
        header: header.withoutSizeAndSum,
        blocks: first..<Int(window.taken),
        end: last.isLast ? [] : last.stored.isEmpty ? [0x01, 0x00, 0x00] : last.stored
      )
    }
  }

  /// Walks over the blocks that are all there; tells whether the frame's last is among them, and what there is of a
  /// stored block after them, as a block. Nil where the input cannot be read.
  private static func blocks(_ window: inout RecordWindow, _ size: Int) -> (isLast: Bool, stored: [UInt8])? {
    while window.have(3) {
      let header = Int(window.u16(0, bigEndian: false)) | Int(window.u8(2)) << 16
      let type = header >> 1 & 3
      // A block of one octet, repeated, stores that octet only.
      let stored = type == 1 ? 1 : header >> 3
      let left = size - Int(window.taken) - 3
      guard stored <= left else {
        guard type == 0, left > 0, stored <= blockBound else { return (false, []) }
        let kept = Array(window.peek(3 + left).dropFirst(3))
        let start = kept.count << 3 | 1
        return (false, [UInt8(start & 0xFF), UInt8(start >> 8 & 0xFF), UInt8(start >> 16)] + kept)
      }
      guard window.skip(3 + stored) else { return nil }
      if header & 1 == 1 { return (true, []) }
    }
    return (false, [])
  }

  /// No block holds more (RFC 8878 3.1.1.2.4).
  private static let blockBound = 1 << 17

  /// The header of a frame with its magic number.
  private struct Header {
    let length: Int
    let hasSum: Bool
    let withoutSizeAndSum: [UInt8]

    /// - Parameter packed: the frame's first octets; nil where they do not hold the header.
    init?(_ packed: [UInt8]) {
      guard packed.count > 4 else { return nil }
      let descriptor = packed[4]
      let isSingle = descriptor & 0x20 != 0
      let dictionary = [0, 1, 2, 4][Int(descriptor & 3)]
      let size = [isSingle ? 1 : 0, 2, 4, 8][Int(descriptor >> 6)]
      let windowEnd = 5 + (isSingle ? 0 : 1)
      length = windowEnd + dictionary + size
      guard length <= packed.count else { return nil }
      hasSum = descriptor & 4 != 0
      let window = isSingle ? Self.window(packed[(length - size)..<length]) : packed[5]
      withoutSizeAndSum = packed[..<4] + [descriptor & 3, window] + packed[windowEnd..<(windowEnd + dictionary)]
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

import BluetoothWire
import CZlib

/// The base64 section of a bug report's text that holds Android's memory ring (captures.md 4.4).
struct BtsnoozSection {
  /// Neither the decoded section nor what it inflates to may be larger: a ring is some 256 KiB.
  private static let sizeBound = 64 << 20
  private static let begin = Array("--- BEGIN:BTSNOOP_LOG_SUMMARY".utf8)

  /// Record version 1 or 2; anything else is refused.
  let version: UInt8
  private(set) var notes: [CaptureNote] = []
  private let decoded: [UInt8]

  /// Looks through all of the text, piece by piece; nil where it has no section.
  init?(_ window: inout RecordWindow) {
    guard Self.findBegin(&window) else { return nil }
    guard Self.skipLine(&window) else { return nil }
    var octets: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    var isWhole = false
    while window.have(1), octets.count < Self.sizeBound {
      let character = window.u8(0)
      if character == 0x2D {
        isWhole = true
        break
      }
      window.take(1)
      guard let value = Self.value(character) else { continue }
      bits = bits << 6 | UInt32(value)
      count += 1
      if count == 4 {
        octets.append(UInt8(truncatingIfNeeded: bits >> 16))
        octets.append(UInt8(truncatingIfNeeded: bits >> 8))
        octets.append(UInt8(truncatingIfNeeded: bits))
        (bits, count) = (0, 0)
      }
    }
    if count == 3 {
      octets.append(UInt8(truncatingIfNeeded: bits >> 10))
      octets.append(UInt8(truncatingIfNeeded: bits >> 2))
    } else if count == 2 {
      octets.append(UInt8(truncatingIfNeeded: bits >> 4))
    }
    version = octets.first ?? 0
    decoded = octets
    if !isWhole { notes.append(CaptureNote(.damagedArchive, frame: 0, amount: Int64(octets.count))) }
  }

  /// The preamble with the time before the first record, then the inflated records.
  mutating func records(_ name: String) throws(CaptureError) -> [UInt8] {
    guard decoded.count > BtsnoozFormat.preambleLength else {
      throw CaptureError(
        .empty,
        "\(name) has a btsnooz section without packets.",
        hint: "Turn on the HCI snoop log in the developer options and capture again."
      )
    }
    guard version == 1 || version == 2 else {
      throw CaptureError(
        .refused,
        "\(name) has a btsnooz section of version \(version), and only 1 and 2 are known.",
        hint: "Turn on the HCI snoop log in the developer options and capture again."
      )
    }
    var ring = Array(decoded.prefix(BtsnoozFormat.preambleLength))
    if !Self.inflate(decoded.dropFirst(BtsnoozFormat.preambleLength), into: &ring) {
      notes.append(
        CaptureNote(.damagedArchive, frame: 0, amount: Int64(ring.count - BtsnoozFormat.preambleLength))
      )
    }
    var last: UInt64 = 0
    for place in 1..<BtsnoozFormat.preambleLength { last |= UInt64(decoded[place]) << UInt64(8 * (place - 1)) }
    let sum = BtsnoozFormat.sumOfDeltas(ring.dropFirst(BtsnoozFormat.preambleLength), version: version)
    let first = UInt64(bitPattern: Int64(bitPattern: last) &- sum)
    for place in 1..<BtsnoozFormat.preambleLength {
      ring[place] = UInt8(truncatingIfNeeded: first >> UInt64(8 * (place - 1)))
    }
    return ring
  }

  /// Appends what the zlib stream inflates to; false where it is damaged, cut or beyond the bound.
  private static func inflate(_ packed: ArraySlice<UInt8>, into ring: inout [UInt8]) -> Bool {
    var stream = unsafe z_stream()
    guard unsafe inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else { return false }
    defer { unsafe inflateEnd(&stream) }
    var input = Array(packed)
    var output = [UInt8](repeating: 0, count: 1 << 16)
    return unsafe input.withUnsafeMutableBufferPointer { source in
      unsafe stream.next_in = source.baseAddress
      unsafe stream.avail_in = UInt32(source.count)
      while ring.count < sizeBound {
        let (result, count) = unsafe output.withUnsafeMutableBufferPointer { piece in
          unsafe stream.next_out = piece.baseAddress
          unsafe stream.avail_out = UInt32(piece.count)
          let result = unsafe CZlib.inflate(&stream, Z_NO_FLUSH)
          return unsafe (result, piece.count - Int(stream.avail_out))
        }
        ring.append(contentsOf: output[..<count])
        if result == Z_STREAM_END { return true }
        guard result == Z_OK, unsafe count > 0 || stream.avail_in > 0 else { return false }
      }
      return false
    }
  }

  /// Takes everything up to the section's first line; a hit may lie over two pieces of the text.
  private static func findBegin(_ window: inout RecordWindow) -> Bool {
    while window.have(begin.count) {
      let last = window.available - begin.count
      var place = 0
      while place <= last {
        if window.u8(place) == begin[0], matches(window, at: place) {
          window.take(place)
          return true
        }
        place += 1
      }
      window.take(last + 1)
    }
    return false
  }

  private static func matches(_ window: borrowing RecordWindow, at place: Int) -> Bool {
    for index in 1..<begin.count where window.u8(place + index) != begin[index] { return false }
    return true
  }

  private static func skipLine(_ window: inout RecordWindow) -> Bool {
    while window.have(1) {
      let isEnd = window.u8(0) == 0x0A
      window.take(1)
      if isEnd { return true }
    }
    return false
  }

  /// The six bits of a base64 character; nil for white space, padding and anything else.
  private static func value(_ character: UInt8) -> UInt8? {
    switch character {
    case 0x41...0x5A: character - 0x41
    case 0x61...0x7A: character - 0x61 + 26
    case 0x30...0x39: character - 0x30 + 52
    case 0x2B: 62
    case 0x2F: 63
    default: nil
    }
  }
}

/// btsnooz: the inflated ring of records, little-endian and packed (captures.md 4.4).
///
/// The section is taken out of the text and inflated when the capture is opened; what is walked here starts with the
/// nine-octet preamble, version and time of the last packet.
enum BtsnoozFormat {
  static let preambleLength = 9

  static func headerLength(version: UInt8) -> Int { version == 1 ? 7 : 9 }

  @inline(__always) static func kind(_ type: UInt8) -> FrameKind? {
    switch type {
    case 0x10: .event
    case 0x11: .aclReceived
    case 0x12: .scoReceived
    case 0x17: .isoReceived
    case 0x20: .command
    case 0x21: .aclSent
    case 0x22: .scoSent
    case 0x2D: .isoSent
    default: nil
    }
  }

  /// The sum of all deltas, the first record's too: the last packet's time minus this is where times start.
  static func sumOfDeltas(_ records: ArraySlice<UInt8>, version: UInt8) -> Int64 {
    let header = headerLength(version: version)
    let deltaPlace = header - 5
    var sum: Int64 = 0
    var place = records.startIndex
    while place + header <= records.endIndex {
      let length = Int(records[place]) | Int(records[place + 1]) << 8
      guard length >= 1, place + header + length - 1 <= records.endIndex else { break }
      for octet in 0..<4 { sum += Int64(records[place + deltaPlace + octet]) << Int64(8 * octet) }
      place += header + length - 1
    }
    return sum
  }
}

/// What the walk over btsnooz records remembers.
struct BtsnoozState: Sendable {
  var version: UInt8 = 2
  /// The time of the record before.
  var time: Int64 = 0
}

extension CaptureReader {
  /// Takes the preamble; the section's reader has put the time before the first record into it.
  mutating func startBtsnooz() {
    guard window.have(BtsnoozFormat.preambleLength) else {
      ended = true
      return
    }
    btsnooz.version = window.u8(0)
    btsnooz.time = Int64(bitPattern: window.u64(1, bigEndian: false))
    window.take(BtsnoozFormat.preambleLength)
  }

  mutating func nextBtsnooz() -> CapturedFrame? {
    let header = BtsnoozFormat.headerLength(version: btsnooz.version)
    while window.have(header) {
      let claimed = Int(window.u16(0, bigEndian: false))
      let original = btsnooz.version == 1 ? claimed : Int(window.u16(2, bigEndian: false))
      let delta = window.u32(header - 5, bigEndian: false)
      let type = window.u8(header - 1)
      guard claimed >= 1 else {
        endAtBadLength(Int64(claimed))
        return nil
      }
      let length = claimed - 1
      guard window.have(header + length) else { break }
      frameCount &+= 1
      btsnooz.time &+= Int64(delta)
      guard let kind = BtsnoozFormat.kind(type) else {
        note(.unknownRecord, amount: Int64(type))
        window.take(header + length)
        continue
      }
      var frame = CapturedFrame(
        number: frameCount,
        kind: kind,
        adapter: 0,
        time: btsnooz.time,
        offset: window.start + header,
        length: length,
        originalLength: max(length, original - 1)
      )
      // Version 1 has no original length, so the packet's own header must tell what was cut.
      if btsnooz.version == 1, kind == .aclSent || kind == .aclReceived, length >= 4 {
        frame.originalLength = max(length, 4 + Int(window.u16(header + 2, bigEndian: false)))
      }
      observeClip(kept: frame.length, of: frame.originalLength)
      observe(time: frame.time)
      window.take(header + length)
      return frame
    }
    endAtTail()
    return nil
  }
}

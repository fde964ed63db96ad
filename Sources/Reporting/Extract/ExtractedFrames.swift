import CaptureFiles

/// The frames of an extract, their octets one after the other in one array.
struct ExtractedFrames: Sendable {
  struct Record: Sendable {
    var kind: FrameKind
    var adapter: UInt16
    var time: Int64
    /// Where its octets are in `octets`.
    var range: Range<Int>
    var originalLength: Int
    /// The logger's count of lost packets.
    var drops: UInt32
    /// Position of the link among those selected; nil for frames of none.
    var link: Int?
  }

  var records: [Record] = []
  var octets: [UInt8] = []

  mutating func append(_ frame: CapturedFrame, kind: FrameKind, _ bytes: RawSpan, drops: UInt64, link: Int?) {
    let start = octets.count
    unsafe bytes.withUnsafeBytes { unsafe octets.append(contentsOf: $0) }
    records.append(
      Record(
        kind: kind,
        adapter: frame.adapter,
        time: frame.time,
        range: start..<octets.count,
        originalLength: frame.originalLength,
        drops: UInt32(clamping: drops),
        link: link
      )
    )
  }

  /// A frame that was built anew and so has no octet that is not there.
  mutating func append(_ frame: CapturedFrame, rebuilt: [UInt8], drops: UInt64, link: Int?) {
    let start = octets.count
    octets.append(contentsOf: rebuilt)
    records.append(
      Record(
        kind: frame.kind,
        adapter: frame.adapter,
        time: frame.time,
        range: start..<octets.count,
        originalLength: rebuilt.count,
        drops: UInt32(clamping: drops),
        link: link
      )
    )
  }
}

/// How many frames at the start of `next` stand in captures before it as well: pieces of one log that overlap.
///
/// A frame is the same where its time, kind, adapter and octets are. It reads the captures, so 0 where one of them can be
/// read only once.
///
/// - Parameter latest: the end of those before, in microseconds since 1970; what begins later is not looked at.
public func repeatedFrames(
  of next: CaptureSource,
  after before: ArraySlice<CaptureSource>,
  upTo latest: Int64
) throws(CaptureError) -> Int {
  guard next.format != .undetermined, let start = try firstTime(of: next), start <= latest else { return 0 }
  var known: [Int: Int] = [:]
  for source in before {
    guard source.format != .undetermined else { return 0 }
    var reader = try CaptureReader.open(source)
    while let frame = reader.next() {
      if frame.time >= start { known[fingerprint(frame, reader.bytes(of: frame)), default: 0] += 1 }
    }
  }
  guard !known.isEmpty else { return 0 }
  var reader = try CaptureReader.open(next)
  var count = 0
  while let frame = reader.next() {
    let key = fingerprint(frame, reader.bytes(of: frame))
    guard let left = known[key], left > 0 else { break }
    known[key] = left - 1
    count += 1
  }
  return count
}

private func fingerprint(_ frame: CapturedFrame, _ bytes: RawSpan) -> Int {
  var hasher = Hasher()
  hasher.combine(frame.time)
  hasher.combine(frame.kind)
  hasher.combine(frame.adapter)
  unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  return hasher.finalize()
}

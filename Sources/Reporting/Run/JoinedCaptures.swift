public import CaptureFiles

/// Captures that are read as one, frame numbers counting on from each to the next.
///
/// Where pieces of one log overlap, what they share is read once.
public enum JoinedCaptures {
  /// Opens the captures one after the other and hands out the reader of them all.
  ///
  /// - Parameters:
  ///   - join: is told of each capture but the first, and of the number of its first frame.
  ///   - piece: reads what the reader holds; false to go no further.
  /// - Returns: the reader, which knows what it has read.
  @discardableResult
  public static func read(
    _ sources: [CaptureSource],
    join: (CaptureSource, UInt32) -> Void = { _, _ in },
    piece: (inout CaptureReader) -> Bool
  ) throws(CaptureError) -> CaptureReader {
    guard let first = sources.first else {
      throw CaptureError(.empty, "there is nothing to read", hint: "Name a capture file.")
    }
    var reader = try CaptureReader.open(first)
    var latest = Int64.min
    for (position, next) in sources.enumerated().dropFirst() {
      guard piece(&reader) else { return reader }
      latest = max(latest, reader.latestTime ?? .min)
      let repeated = try repeatedFrames(of: next, after: sources[..<position], upTo: latest)
      join(next, reader.frameCount &+ 1)
      try reader.continue(with: next)
      reader.passOver(repeated: repeated)
    }
    _ = piece(&reader)
    return reader
  }
}

import LinkTrace

/// When sequence numbers were seen for the last time in a course of events that are told from the last to the first.
struct LastSeenNumbers {
  private struct Span {
    var range: ClosedRange<UInt32>
    var event: Int
  }

  private var seen = SequenceSet()
  /// In ascending order once `sort` was called; they do not overlap.
  private var spans: [Span] = []

  /// Notes that numbers were seen in an event; none that was told before may have come earlier.
  mutating func add(_ range: ClosedRange<UInt32>, in event: Int) {
    let added = seen.remainder(of: range)
    guard !added.isEmpty else { return }
    for piece in added { spans.append(Span(range: piece, event: event)) }
    seen.insert(range)
  }

  /// Ends the course of events.
  mutating func sort() { spans.sort { $0.range.lowerBound < $1.range.lowerBound } }

  /// The numbers of a range that were not seen in an event or after it, as ranges in ascending order.
  func unseen(_ range: ClosedRange<UInt32>, since event: Int) -> [ClosedRange<UInt32>] {
    var late = SequenceSet()
    for span in spans[spans.endOfPrefix { $0.range.upperBound < range.lowerBound }...] {
      if span.range.lowerBound > range.upperBound { break }
      if span.event >= event { late.insert(span.range) }
    }
    return late.remainder(of: range)
  }
}

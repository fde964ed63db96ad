import LinkTrace

/// Which link had a connection handle when a frame passed: a handle may have been given out thousands of times.
struct HandleSpans: Sendable {
  private struct Span: Sendable {
    var frames: ClosedRange<UInt32>
    var link: Int
  }

  /// By connection, in ascending order of their last frames.
  private var spans: [UInt32: [Span]] = [:]

  /// Notes the frames of a link; a handle is given out again only after its link.
  mutating func add(_ link: Int, adapter: UInt16, handle: UInt16, frames: ClosedRange<UInt32>) {
    let key = ConnectionKey.of(adapter: adapter, handle: handle)
    let span = Span(frames: frames, link: link)
    var place = spans[key]?.count ?? 0
    while place > 0, let before = spans[key]?[place - 1], before.frames.upperBound > frames.upperBound { place -= 1 }
    spans[key, default: []].insert(span, at: place)
  }

  /// The link of a frame; nil where none had the handle then.
  func link(adapter: UInt16, handle: UInt16, frame: UInt32) -> Int? {
    guard let spans = spans[ConnectionKey.of(adapter: adapter, handle: handle)] else { return nil }
    let place = spans.endOfPrefix { $0.frames.upperBound < frame }
    return place < spans.count && spans[place].frames.contains(frame) ? spans[place].link : nil
  }
}

public import LinkTrace

/// What a first pass over a capture knows of its links at their ends: the names of handles, and which frames are whose.
public struct PacketSurvey: LinkConsumer {
  /// A link's handles and databases as they were concluded.
  struct Link {
    var number: UInt32
    var adapter: UInt16
    var handle: UInt16
    var frames: ClosedRange<UInt32>
    var names: PacketNames
  }

  /// By link number.
  private(set) var links: [UInt32: Link] = [:]
  private var spans = HandleSpans()

  public init() {}

  public mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker) {
    let first = history.start?.frame ?? history.firstFrame
    let link = Link(
      number: history.number,
      adapter: history.adapter,
      handle: history.handle,
      frames: first...max(first, history.end.frame, history.lastFrame),
      names: PacketNames(history)
    )
    links[history.number] = link
    spans.add(Int(link.number), adapter: link.adapter, handle: link.handle, frames: link.frames)
  }

  /// The link that had a connection handle when a frame passed; nil where none had.
  func number(adapter: UInt16, handle: UInt16, frame: UInt32) -> UInt32? {
    spans.link(adapter: adapter, handle: handle, frame: frame).map(UInt32.init)
  }
}

/// The captures whose frames one run counts through: a record is of the one that holds its frame.
struct RecordedPieces: Sendable {
  private var pieces: [CaptureFacts.Part]
  /// The capture that holds the frame that was selected last, and its frames.
  private(set) var selectedName: String
  private(set) var selectedFrames: ClosedRange<UInt32> = 0...UInt32.max

  init(_ name: String) {
    pieces = [CaptureFacts.Part(name: name, firstFrame: 0)]
    selectedName = name
  }

  /// Frames from `frame` on are of another capture.
  mutating func append(_ name: String, from frame: UInt32) {
    pieces.append(CaptureFacts.Part(name: name, firstFrame: frame))
    select(frame: selectedFrames.lowerBound)
  }

  mutating func select(frame: UInt32) {
    let place = place(ofFrame: frame)
    selectedName = pieces[place].name
    let next = place + 1 < pieces.count ? pieces[place + 1].firstFrame : .max
    let last = next == .max ? next : next - 1
    selectedFrames = pieces[place].firstFrame...max(pieces[place].firstFrame, last)
  }

  /// An empty capture begins where the next one does, and holds nothing.
  private func place(ofFrame frame: UInt32) -> Int { pieces.lastIndex { $0.firstFrame <= frame } ?? 0 }
}

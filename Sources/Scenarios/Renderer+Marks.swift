import CaptureFiles

extension Renderer {
  /// Performs a step and marks the frame that tells it.
  mutating func mark(_ step: Step) {
    let first = frames.count
    perform(step)
    let added = frames[first...]
    let telling =
      added.firstIndex { $0.kind == .command } ?? added.lastIndex { $0.kind == .aclSent || $0.kind == .aclReceived }
      ?? added.indices.last
    if let telling { frames[telling].isMarked = true }
  }
}

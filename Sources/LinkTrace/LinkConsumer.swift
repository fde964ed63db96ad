public import CaptureFiles

/// Takes the links of a capture one by one, as they end.
public protocol LinkConsumer {
  /// One ended link; it is valid during the call and its storage is used again afterwards.
  mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker)
  /// One ended link for good. Gives back a history whose storage is used for a later link: the same one, unless it is
  /// still needed.
  mutating func takeOver(_ history: consuming LinkHistory, from tracker: borrowing LinkTracker) -> LinkHistory
  /// True where no further link can change anything: what is left of the capture is not read.
  var hasEnough: Bool { get }
}

extension LinkConsumer {
  public mutating func takeOver(
    _ history: consuming LinkHistory,
    from tracker: borrowing LinkTracker
  ) -> LinkHistory {
    take(history, from: tracker)
    return history
  }

  public var hasEnough: Bool { false }
}

extension LinkTracker {
  /// Reads a capture to its end and hands each link to the consumer as it ends.
  ///
  /// Links that are still up stay open, so that a joined file can follow; `finish(into:)` ends them.
  public mutating func read(_ reader: inout CaptureReader, into consumer: inout some LinkConsumer) {
    _ = read(&reader, into: &consumer, atMost: .max)
  }

  /// Reads on for a number of frames; false where the capture has ended or the consumer has enough.
  public mutating func read(
    _ reader: inout CaptureReader,
    into consumer: inout some LinkConsumer,
    atMost frames: Int
  ) -> Bool {
    var drops = reader.drops
    var left = frames
    var frame = CapturedFrame.none
    while left > 0 {
      guard reader.next(into: &frame) else { return false }
      left -= 1
      if reader.drops != drops {
        lost(reader.drops - drops, at: frame)
        drops = reader.drops
      }
      if follow(frame, reader.bytes(of: frame)) {
        drain(into: &consumer)
        if consumer.hasEnough { return false }
      }
    }
    return true
  }

  /// Ends the capture and hands out what was still up.
  public mutating func finish(into consumer: inout some LinkConsumer) {
    finish()
    drain(into: &consumer)
  }

  private mutating func drain(into consumer: inout some LinkConsumer) {
    while let history = takeEnded() { recycle(consumer.takeOver(history, from: self)) }
  }
}

import LinkTrace

/// The times a link's collector began to pair or to encrypt, and how each came out.
struct SecurityEfforts: Sendable {
  /// One attempt, from the Pairing Request or the order to encrypt to the event that decides it.
  struct Effort: Sendable {
    var frame: UInt32
    /// Microseconds since 1970 UTC.
    var time: Int64
    /// Nil while it is undecided.
    var endFrame: UInt32?
    var hasFailed = false
  }

  private(set) var efforts: [Effort] = []

  init(_ history: borrowing LinkHistory) {
    for event in history.events {
      switch event.kind {
      case .pairingRequest, .startEncryption, .longTermKeyRequest:
        if let last = efforts.last, last.endFrame == nil { continue }
        efforts.append(Effort(frame: event.frame, time: event.time))
      case .encryptionChange, .pairingFailed, .longTermKeyNegativeReply, .keyRefresh:
        guard let last = efforts.indices.last, efforts[last].endFrame == nil else { continue }
        efforts[last].endFrame = event.frame
        efforts[last].hasFailed =
          event.kind == .pairingFailed || event.kind == .longTermKeyNegativeReply || event.code != 0
      default: continue
      }
    }
  }

  /// True where an attempt was under way when a frame passed.
  func isRunning(at frame: UInt32) -> Bool {
    efforts.contains { $0.frame < frame && ($0.endFrame.map { $0 > frame } ?? true) }
  }

  /// The first attempt that began after a frame.
  func first(after frame: UInt32) -> Effort? { efforts.first { $0.frame > frame } }

  /// True where an attempt had failed before a frame.
  func hasFailed(before frame: UInt32) -> Bool {
    efforts.contains { $0.hasFailed && ($0.endFrame.map { $0 < frame } ?? false) }
  }
}

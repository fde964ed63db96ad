import LinkTrace

/// The times a link's collector began to pair or to encrypt, and how each came out.
struct SecurityEfforts: Sendable {
  /// One attempt, from the Pairing Request or the order to encrypt to the event that decides it.
  struct Effort: Sendable {
    var frame: UInt32
    /// Microseconds since 1970 UTC.
    var time: Int64
    /// True where the capture has not the order to encrypt but only the controller's question for the key, or nothing
    /// before the event that it came about: what the sensor sent shortly before may have crossed the order.
    var isOrderUnseen = false
    /// Nil while it is undecided.
    var endFrame: UInt32?
    var hasFailed = false
  }

  private(set) var efforts: [Effort] = []
  /// How long a packet may have been on its way. Microseconds.
  private let crossing: Int64

  init(_ history: borrowing LinkHistory) {
    crossing = history.crossing
    for event in history.events {
      switch event.kind {
      case .pairingRequest, .startEncryption, .longTermKeyRequest:
        if let last = efforts.last, last.endFrame == nil { continue }
        let isOrderUnseen = event.kind == .longTermKeyRequest
        efforts.append(Effort(frame: event.frame, time: event.time, isOrderUnseen: isOrderUnseen))
      case .encryptionChange, .pairingFailed, .longTermKeyNegativeReply, .keyRefresh:
        guard let last = efforts.indices.last, efforts[last].endFrame == nil else {
          // Its beginning is what the capture lacks.
          if event.kind == .encryptionChange && event.code == 0 && event.value & 0xFF != 0 {
            efforts.append(Effort(frame: event.frame, time: event.time, isOrderUnseen: true, endFrame: event.frame))
          }
          continue
        }
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

  /// Why the sensor's host cannot say whether a refusal was answered or crossed.
  static let unseenOrder = "whether encryption was ordered before the refusal arrived shows only at the other end"

  /// True where the order to encrypt may have been given before what the sensor's host sent here had arrived.
  func mayCross(_ pdu: AttributePDU) -> Bool {
    efforts.contains { $0.isOrderUnseen && $0.frame > pdu.frame && $0.time - pdu.time < crossing }
  }

  /// True where an attempt had failed before a frame.
  func hasFailed(before frame: UInt32) -> Bool {
    efforts.contains { $0.hasFailed && ($0.endFrame.map { $0 < frame } ?? false) }
  }
}

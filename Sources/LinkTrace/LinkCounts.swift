/// What a link's history counts without keeping it.
public struct LinkCounts: Sendable {
  /// ATT PDUs seen in each direction, kept or not.
  public var sentPDUs: UInt32 = 0
  public var receivedPDUs: UInt32 = 0
  /// ATT PDUs the logger cut, and PDUs of which not even the op code is left.
  public var clippedPDUs: UInt32 = 0
  public var emptiedPDUs: UInt32 = 0
  /// Those among the cut ones that name a handle, of which not even that is left.
  public var namelessPDUs: UInt32 = 0
  /// The fewest octets a cut ATT record still held, counted from the ACL header; 0 where none was cut.
  public var clippedTo: UInt16 = 0
  /// PDUs whose octets, or which themselves, were let go to bound memory.
  public var droppedPDUs: UInt32 = 0
  /// ACL fragments sent, and those the controller reported as completed.
  public var sentFragments: UInt64 = 0
  public var completedFragments: UInt64 = 0
  /// L2CAP PDUs on channels that are not ATT, SMP, signalling or an enhanced bearer.
  public var otherChannelPDUs: UInt32 = 0
  /// Fragments that fit nothing, and times the logger lost packets while the link was up.
  public var brokenFragments: UInt32 = 0
  public var lostPackets: UInt32 = 0
  /// Responses and confirmations to nothing that is in the capture, and the frame of the first.
  public var orphanAnswers: UInt32 = 0
  public var firstOrphan: UInt32 = 0
  /// Confirmations among them, and the frames of the first and the last.
  public var strayConfirmations: UInt32 = 0
  public var firstStrayConfirmation: UInt32 = 0
  public var lastStrayConfirmation: UInt32 = 0
  /// The frame behind which the first packet that an answer tells to be missing was sent; nil where none does.
  public var firstGap: UInt32?
  /// The first request of those that overlap, while their answers are not all there.
  public var unsettledSince: UInt32 = 0
  /// Requests whose answer was left out while a younger request of the same side was answered.
  public var skippedAnswers: UInt32 = 0
  /// Requests to a control point whose answer is not there although what they asked for came, was confirmed, and the
  /// requester went on: the logger missed it, or it was never sent.
  public var passedRequests: UInt32 = 0
  /// True while a request is open that was sent before the one in front of it was answered.
  public var hasUnsettledTurns = false
  /// True where an answer or a confirmation came after so long that nobody had waited (``VisibilityFacts/endlessWait``).
  public var hasEndlessWait = false
  /// Events beyond those kept.
  public var droppedEvents: UInt32 = 0
  /// Enhanced ATT bearers opened.
  public var enhancedBearers: UInt8 = 0
  /// Answers that carry something: reads, discovery, the MTU.
  public var readAnswers: UInt32 = 0
  /// True where the peer, the local host, refused a request as the other side does not know of a change of its table
  /// (Core Vol 3 Part G 2.5.2.1).
  public var peerToldOfChange = false
  public var hostToldOfChange = false
  /// Answers of discovery procedures.
  public var discoveries: UInt32 = 0
  /// Times the capture's clock stepped back while the link was up.
  public var clockSteps: UInt32 = 0

  public init() {}

  /// True where the controller reported more packets as sent than the capture has: some of the host's are missing.
  ///
  /// Holds where the capture has the link from its start.
  public var isShortOfSentPackets: Bool { completedFragments > sentFragments }

  /// Notes where a packet is missing: behind a frame, however far.
  mutating func gap(after frame: UInt32) { firstGap = min(firstGap ?? .max, frame) }

  /// The frame behind which packets are missing as the answers tell; nil where they are all there.
  public var missesAnswersSince: UInt32? {
    guard hasUnsettledTurns else { return firstGap }
    return min(firstGap ?? .max, unsettledSince)
  }

  /// Notes a confirmation without its indication: that one is missing, or the collector has confirmed what was none.
  mutating func strayConfirmation(_ frame: UInt32) {
    orphan(frame)
    if strayConfirmations == 0 { firstStrayConfirmation = frame }
    strayConfirmations &+= 1
    lastStrayConfirmation = frame
  }

  /// Notes an answer without its question: one of the two directions lacks a packet.
  mutating func orphan(_ frame: UInt32) {
    if orphanAnswers == 0 { firstOrphan = frame }
    orphanAnswers &+= 1
  }
}

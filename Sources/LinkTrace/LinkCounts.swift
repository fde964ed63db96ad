/// What a link's history counts without keeping it.
public struct LinkCounts: Sendable {
  /// ATT PDUs seen in each direction, kept or not.
  public var sentPDUs: UInt32 = 0
  public var receivedPDUs: UInt32 = 0
  /// ATT PDUs the logger cut, and PDUs of which not even the op code is left.
  public var clippedPDUs: UInt32 = 0
  public var emptiedPDUs: UInt32 = 0
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
  /// Events beyond those kept.
  public var droppedEvents: UInt32 = 0
  /// Enhanced ATT bearers opened.
  public var enhancedBearers: UInt8 = 0
  /// Answers that carry something: reads, discovery, the MTU.
  public var readAnswers: UInt32 = 0
  /// Answers of discovery procedures.
  public var discoveries: UInt32 = 0
  /// Times the capture's clock stepped back while the link was up.
  public var clockSteps: UInt32 = 0

  public init() {}
}

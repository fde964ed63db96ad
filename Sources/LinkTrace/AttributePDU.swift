public import BluetoothWire

/// One ATT PDU of a link in 32 octets: its value lies in the link's arena.
///
/// For PDUs that name one handle (Read, Write, Read Blob, Prepare Write, Notification, Indication) the value is what
/// follows the handle; for discovery requests what follows the starting handle; for the others all that follows the
/// op code. A response carries the handle of its request. A Signed Write Command is without its signature.
///
/// An Execute Write Request that carries prepared writes out stands once for each attribute that it writes, each with the
/// handle and the value put together from its parts; one that cancels, or of whose parts none is in the capture, names
/// none.
public struct AttributePDU: Sendable {
  /// The frame that completed the PDU.
  public var frame: UInt32
  /// Index of the PDU this one answers or is answered by, or `none`.
  public var partner: UInt32
  /// Microseconds since 1970 UTC.
  public var time: Int64
  /// Where the value starts in the arena.
  public var valueStart: UInt32
  /// How many octets of the value are kept.
  public var valueCount: UInt16
  /// How many octets the whole PDU had, op code included.
  public var originalLength: UInt16
  /// The attribute handle, 0 where the PDU names none.
  public var handle: UInt16
  /// Index into `LinkHistory.handles`, or 0xFFFF.
  public var attribute: UInt16
  /// The op code octet.
  public var opcodeValue: UInt8
  /// `Flags` bits.
  public var flags: UInt8
  /// 0 the fixed channel, 1… the enhanced bearers in the order they were opened.
  public var bearer: UInt8

  /// No partner.
  public static let none: UInt32 = .max

  /// The op code.
  public var opcode: ATTOpcode { ATTOpcode(rawValue: opcodeValue) }
  /// True for a notification, alone or among several.
  @inlinable
  public var isNotified: Bool { opcodeValue == 0x1B || opcodeValue == 0x23 }
  /// True for what a server sends by itself: a notification, alone or among several, or an indication, which some sensors
  /// send of a record in place of one.
  @inlinable
  public var isDelivery: Bool { isNotified || opcodeValue == 0x1D }
  /// True where the local host received the PDU.
  public var isReceived: Bool { flags & Self.receivedFlag != 0 }
  /// True where the logger cut the PDU.
  public var isClipped: Bool { flags & Self.clippedFlag != 0 }
  /// True where the value was let go to bound memory: the PDU is counted, its octets are not kept.
  public var isValueDropped: Bool { flags & Self.droppedFlag != 0 }
  /// The side whose attribute server the PDU speaks with: the answering side of a request, the notifying side.
  public var server: Side {
    switch opcode.role {
    case .request, .command, .confirmation, .unknown: isReceived ? .local : .remote
    case .response, .notification, .indication: isReceived ? .remote : .local
    }
  }

  static let receivedFlag: UInt8 = 1
  static let clippedFlag: UInt8 = 2
  static let droppedFlag: UInt8 = 4
}

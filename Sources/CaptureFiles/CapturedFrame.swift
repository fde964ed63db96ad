/// One record of a capture: where its octets lie in the reader's buffer and what the file says about it.
///
/// `offset` and `length` point into the buffer of the `CaptureReader` that gave the frame and hold until its next
/// frame; the octets are the bare HCI packet, without packet-type octet or pseudo-header.
public struct CapturedFrame: Sendable {
  /// The record's number in the file, from 1, counting every record as Wireshark and btmon do. Joined files count on.
  public var number: UInt32
  /// What the octets are and which way they went.
  public var kind: FrameKind
  /// Controller index (`hci0` = 0); 0xFFFF for records that belong to none.
  public var adapter: UInt16
  /// Microseconds since 1970-01-01 00:00 UTC, as the file says it.
  public var time: Int64
  /// Where the HCI packet starts in the reader's buffer.
  public var offset: Int
  /// How many octets of the packet the file holds.
  public var length: Int
  /// How many octets the packet had; more than `length` where the logger cut it.
  public var originalLength: Int

  public init(
    number: UInt32,
    kind: FrameKind,
    adapter: UInt16,
    time: Int64,
    offset: Int,
    length: Int,
    originalLength: Int
  ) {
    self.number = number
    self.kind = kind
    self.adapter = adapter
    self.time = time
    self.offset = offset
    self.length = length
    self.originalLength = originalLength
  }

  /// Stands where no frame has been read.
  public static var none: CapturedFrame {
    CapturedFrame(number: 0, kind: .other, adapter: 0xFFFF, time: 0, offset: 0, length: 0, originalLength: 0)
  }

  /// True where the logger kept less than the packet had.
  public var isClipped: Bool { length < originalLength }
}

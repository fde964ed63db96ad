public import BluetoothWire

/// One write to a Client Characteristic Configuration descriptor (Core Vol 3 Part G 3.3.3.3).
public struct Subscription: Sendable {
  /// The descriptor, and the characteristic value it configures where that is known.
  public var descriptor: UInt16
  public var characteristic: UInt16?
  /// The side whose server holds it.
  public var server: Side
  /// What the characteristic is.
  public var role: AttributeRole
  /// The value written: bit 0 notifications, bit 1 indications; of a single octet its bits.
  public var value: UInt16
  /// True where the sensor need not hold it, though it was not refused: a command, which nothing answers, a write without
  /// an answer in the capture, and a value of another length than two octets.
  public var isDoubtful: Bool
  /// Index in `pdus` of the request, or of the Execute Write Request that carries prepared writes out, and of its answer
  /// where one came.
  public var request: UInt32
  public var answer: UInt32?
  /// The op code of that PDU.
  public var opcode: ATTOpcode
  /// The error it was answered with, 0 where it was accepted or not answered.
  public var error: UInt8
  /// True where the descriptor itself is only inferred from its value and place.
  public var isInferred: Bool
}

/// Which octets a record access control point speaks.
public enum RecordAccessDialect: String, Hashable, Sendable {
  /// Record Access Control Point, 0x2A52: glucose, continuous glucose, pulse oximeter (GLS 3.4).
  case health
  /// IDD Record Access Control Point, 0x2B27: codes of Hamming distance 4, 32-bit sequence numbers and, where the pump
  /// protects its values, a counter octet and two CRC octets at the end (IDS).
  case insulinDelivery

  /// How many octets a sequence number has.
  public var sequenceNumberWidth: Int { self == .health ? 2 : 4 }

  /// The octets of an E2E counter and CRC at the end of a protected value.
  static let protectionLength = 3
}

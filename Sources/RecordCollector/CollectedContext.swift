/// A Glucose Measurement Context as the meter sent it (GLS 3.2, 0x2A34).
public struct CollectedContext: Hashable, Sendable {
  /// That of the measurement it belongs to.
  public var sequenceNumber: UInt16
  /// All octets of the characteristic value.
  public var value: [UInt8]

  public init(sequenceNumber: UInt16, value: [UInt8]) {
    self.sequenceNumber = sequenceNumber
    self.value = value
  }
}

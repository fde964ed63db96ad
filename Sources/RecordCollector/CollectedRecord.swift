/// A stored record as the meter sent it: its measurement and the contexts that came with it (GLS 3.4.3.4).
public struct CollectedRecord: Hashable, Sendable {
  public var sequenceNumber: UInt16
  /// All octets of the Glucose Measurement, 0x2A18.
  public var value: [UInt8]
  /// Minutes from base time to user-facing time: the record's own, or the last one received in the same report.
  ///
  /// Nil where the report had none so far, which the meter must not do (GLS 3.1.1.4).
  public var offset: Int16?
  /// Normally none or one; a second one with other octets is kept.
  public var contexts: [CollectedContext]
  /// The measurement announced a context (flag bit 4) that did not come, also when asked for again.
  public var contextIsMissing: Bool

  public init(
    sequenceNumber: UInt16,
    value: [UInt8],
    offset: Int16? = nil,
    contexts: [CollectedContext] = [],
    contextIsMissing: Bool = false
  ) {
    self.sequenceNumber = sequenceNumber
    self.value = value
    self.offset = offset
    self.contexts = contexts
    self.contextIsMissing = contextIsMissing
  }
}

public import HealthProfiles

extension CollectedRecord {
  /// The base time, or nil where the value is too short to have one.
  public var baseTime: DateTime? {
    guard value.count >= 10 else { return nil }
    let bytes = unsafe value.span.bytes
    return DateTime(bytes, at: 3)
  }

  /// True where flag bit 4 announces a context.
  public var promisesContext: Bool { (value.first ?? 0) & 0x10 != 0 }

  /// The measurement ends before what its flags announce (GLS 3.1.1).
  public var isShort: Bool { value.count < GlucoseMeasurement.expectedLength(flags: value.first ?? 0) }

  /// Whether this is the other one, cut before its end.
  public func isBeginning(of other: CollectedRecord) -> Bool {
    guard isShort, !other.isShort, sequenceNumber == other.sequenceNumber else { return false }
    return other.valueWithoutOffset.starts(with: valueWithoutOffset) || other.value.starts(with: value)
  }

  /// The value without its Time Offset field, and with flag bit 0 cleared.
  ///
  /// A meter sends the field in the first record of every report and may leave it out of the same record in another
  /// report (GLS 3.1.1.4), so octets are compared without it and the offset in force is compared apart.
  public var valueWithoutOffset: [UInt8] {
    guard let flags = value.first, flags & 0x01 != 0, value.count >= 10 else { return value }
    var octets = value
    octets[0] = flags & ~0x01
    octets.removeSubrange(10..<min(12, octets.count))
    return octets
  }

  /// Whether both say the same about one measurement; contexts are not compared.
  ///
  /// An offset that is unknown on one side agrees with any.
  public func hasSameContent(as other: CollectedRecord) -> Bool {
    guard sequenceNumber == other.sequenceNumber else { return false }
    if let mine = offset, let theirs = other.offset, mine != theirs { return false }
    return value == other.value || valueWithoutOffset == other.valueWithoutOffset
  }
}

/// Whose records a record access control point gives: each service with one has a store of its own.
public enum RecordSource: Sendable, Hashable {
  /// Nothing tells in which service the control point stands.
  case unknown
  /// Glucose Measurement, 0x2A18: records with sequence numbers.
  case glucose
  /// CGM Measurement, 0x2AA7: records that are told apart by their Time Offset.
  case continuousGlucose
  /// Records of another service, by its 16-bit UUID.
  case other(UInt16)

  /// True where the numbers of the records are read.
  public var isNumbered: Bool { self == .glucose }
}

public import LinkTrace

/// What one side holds of the records of one device.
public struct AlignedSide: Sendable {
  /// Different records: base time and number.
  public internal(set) var records = 0
  /// Their numbers.
  public internal(set) var numbers = SequenceSet()
  public internal(set) var repetitions = Repetitions()
  /// Received, but in no procedure that is known to have ended with success.
  public internal(set) var unfinished = SequenceSet()
  public internal(set) var unfinishedCount = 0
  /// Received in a procedure of which the capture does not show the end.
  public internal(set) var uncertainCount = 0
  /// Records cut by the logger, of which the other side's fields cannot be confirmed.
  public internal(set) var clippedCount = 0
  /// Deliveries with other content than the first one, on this side itself.
  public internal(set) var changes: [ChangedRecord] = []
  public internal(set) var changeCount = 0
}

/// Two deliveries of one record with other content, as indices into the records of their device.
public struct ChangedRecord: Sendable, Equatable {
  public var first: Int
  public var second: Int
  public var fields: RecordField.Set
}

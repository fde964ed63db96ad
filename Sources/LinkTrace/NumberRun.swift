/// Measurements of one sensor whose sequence numbers it counted through without beginning anew.
public struct NumberRun: Sendable {
  public var sequences = SequenceSet()
  /// Earliest and latest base time, packed so that they compare; `latest` 0 where there is none.
  public var earliest = PackedTime.none
  public var latest: UInt64 = 0
  /// Of the records whose contents are known the ones with the lowest and the highest number.
  public private(set) var lowest: DeviceRecord?
  public private(set) var highest: DeviceRecord?

  public init() {}

  /// Adds a measurement.
  mutating func take(_ record: DeviceRecord) {
    sequences.insert(UInt32(record.sequence))
    know(record)
    guard PackedTime.isPlausible(record.time) else { return }
    earliest = min(earliest, record.time)
    latest = max(latest, record.time)
  }

  /// Takes over what another delivery brought of the same run.
  public mutating func formUnion(_ other: NumberRun) {
    sequences.formUnion(other.sequences)
    earliest = min(earliest, other.earliest)
    latest = max(latest, other.latest)
    if let record = other.lowest { know(record) }
    if let record = other.highest { know(record) }
  }

  /// Keeps the record where it is the lowest or the highest.
  mutating func know(_ record: DeviceRecord) {
    if lowest.map({ record.sequence <= $0.sequence }) ?? true { lowest = record }
    if highest.map({ record.sequence >= $0.sequence }) ?? true { highest = record }
  }
}

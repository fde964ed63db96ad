/// What a records report has written and left out.
public struct RecordsTotals: Hashable, Sendable {
  /// Rows of measurements, of contexts without a measurement, and of records that are not decoded.
  public var measurements = 0
  public var looseContexts = 0
  /// Rows of contexts that the logger cut before their number: whose they are cannot be told.
  public var cutContexts = 0
  public var opaque = 0
  /// Measurements that came before with the same content, written or left out, and with other content.
  public var repeated = 0
  public var changed = 0
  /// Rows left out as duplicates, and by the filters.
  public var leftOut = 0
  public var filtered = 0
  /// Measurements with octets that could not be decoded, and cut by the logger.
  public var undecoded = 0
  public var clipped = 0
  /// Devices that records were written of.
  public var devices = 0

  public init() {}

  /// All rows that are written.
  var rows: Int { measurements + looseContexts + cutContexts + opaque }

  /// Adds what another report wrote, of other devices.
  mutating func add(_ other: RecordsTotals) {
    measurements += other.measurements
    looseContexts += other.looseContexts
    cutContexts += other.cutContexts
    opaque += other.opaque
    repeated += other.repeated
    changed += other.changed
    leftOut += other.leftOut
    filtered += other.filtered
    undecoded += other.undecoded
    clipped += other.clipped
    devices += other.devices
  }
}

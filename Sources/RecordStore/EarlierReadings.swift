import HealthProfiles
import RecordCollector

/// The readings that earlier epochs of a meter hold, found by what they measured.
///
/// A meter that numbers its records anew sends them again under other numbers: the same base time, concentration, type
/// and location are the same reading. Two that say the same are two, in the order they are held.
struct EarlierReadings {
  /// The row of a record.
  struct Row: Hashable {
    var epoch: Int64
    var sequence: UInt16
    var variant: Int64
  }

  /// What was measured, and when.
  private struct Content: Hashable {
    var baseTime: DateTime
    var concentration: GlucoseConcentration?
    var type: GlucoseSampleType?
    var location: GlucoseSampleLocation?

    /// Nil where the octets end before the base time does.
    init?(_ value: [UInt8]) {
      let fields = unsafe GlucoseMeasurement.Prefix(decoding: value.span.bytes)
      guard let time = fields.baseTime else { return nil }
      baseTime = time
      concentration = fields.concentration
      type = fields.type
      location = fields.location
    }
  }

  private var rows: [Content: [Row]] = [:]

  mutating func add(_ row: Row, value: [UInt8]) {
    guard let content = Content(value) else { return }
    rows[content, default: []].append(row)
  }

  /// The first row with this content that no record of the new epoch stands for yet.
  func first(like record: CollectedRecord) -> Row? {
    rows.isEmpty ? nil : Content(record.value).flatMap { rows[$0]?.first }
  }

  /// A record of the new epoch now stands for the first row.
  mutating func take(_ record: CollectedRecord) {
    guard let content = Content(record.value), rows[content]?.isEmpty == false else { return }
    rows[content]?.removeFirst()
  }
}

import BluetoothWire
import HealthProfiles
import RecordCollector
import RecordStore

/// A stored record with its octets decoded as far as they go.
struct StoredReading {
  let stored: StoredRecord
  let fields: GlucoseMeasurement.Prefix
  private let feature: GlucoseFeature?

  /// - Parameter feature: what the meter says it can do, where it was read.
  init(_ stored: StoredRecord, feature: GlucoseFeature?) {
    self.stored = stored
    self.feature = feature
    fields = unsafe GlucoseMeasurement.Prefix(decoding: stored.record.value.span.bytes)
  }

  var record: CollectedRecord { stored.record }

  /// True where the offset is that of a record before it in its report.
  var isOffsetCarried: Bool { record.offset != nil && fields.timeOffset == nil }

  /// Base time moved by the offset in force; nil where no offset is known or the base time is no valid date
  /// (GLS 3.1.1.4).
  var time: DateTime? { record.offset.flatMap { fields.baseTime?.adding(minutes: Int($0)) } }

  /// True where the user-facing time, or the base time where that is not known, is not before `since`, or nobody knows.
  func isNot(before since: DateTime?) -> Bool {
    guard let since, let time = time ?? fields.baseTime?.adding(minutes: 0) else { return true }
    return time >= since
  }

  /// Bits of features the meter does not claim are reserved: nothing was said by them (GLS 3.3.1).
  var statusNames: [String] {
    guard let status = fields.annunciation else { return [] }
    guard let feature else { return status.names }
    return status.intersection(feature.permittedAnnunciation).names
  }
}

public import HealthProfiles

/// What the records report writes, and how.
public struct RecordsOptions: Sendable {
  public var format = Format.table
  /// Only devices that a `DeviceFilter` for this text matches; nil for all.
  public var device: String?
  /// Only records whose user-facing time, or base time where that is not known, is not before this one; records without
  /// a valid time are kept.
  public var since: DateTime?
  /// What becomes of a record that came before with the same content.
  public var duplicates = Duplicates.keep
  /// Zone of the times of reception; the records' own times have none.
  public var zone = TimeText.Zone.local

  public init() {}

  /// The shape of the output.
  public enum Format: String, CaseIterable, Sendable { case table, csv, jsonl }

  /// What becomes of repeated records.
  public enum Duplicates: String, CaseIterable, Sendable { case keep, drop }

  /// Reads `2026-01-05`, `2026-01-05T07:30` or `2026-01-05 07:30:00`; nil where the text is no valid date.
  public static func time(_ text: String) -> DateTime? {
    let parts = text.split(omittingEmptySubsequences: false) { $0 == "T" || $0 == " " }
    guard parts.count == 1 || parts.count == 2 else { return nil }
    let date = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { UInt16($0) }
    let clock =
      parts.count == 2 ? parts[1].split(separator: ":", omittingEmptySubsequences: false).map { UInt8($0) } : []
    guard date.count == 3, let year = date[0], let month = date[1].flatMap({ UInt8(exactly: $0) }),
      let day = date[2].flatMap({ UInt8(exactly: $0) }), parts.count == 1 || clock.count == 2 || clock.count == 3
    else { return nil }
    var fields: [UInt8] = []
    for field in clock {
      guard let field else { return nil }
      fields.append(field)
    }
    let time = DateTime(
      year: year,
      month: month,
      day: day,
      hours: fields.first ?? 0,
      minutes: fields.count > 1 ? fields[1] : 0,
      seconds: fields.count > 2 ? fields[2] : 0
    )
    return time.isValid ? time : nil
  }
}

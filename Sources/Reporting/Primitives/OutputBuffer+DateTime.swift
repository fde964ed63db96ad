import HealthProfiles

extension OutputBuffer {
  /// `2026-01-05 07:30:00` and blanks up to `width` columns; blanks alone for nil.
  ///
  /// - Parameter year: where the time is of this year, it is written without it.
  mutating func append(_ time: DateTime?, columns width: Int, withoutYear year: UInt16? = nil) {
    guard let time else { return append(repeating: 0x20, count: width) }
    let isUsual = time.year <= 9_999 && max(time.month, time.day, time.hours, time.minutes, time.seconds) <= 99
    guard isUsual, width >= (time.year == year ? 14 : 19) else {
      // What no calendar has may be longer than its column.
      return append(time.description, columns: width)
    }
    let start = count
    if time.year != year {
      append(digits: UInt64(time.year), width: 4)
      append(octet: 0x2D)
    }
    append(digits: UInt64(time.month), width: 2)
    append(octet: 0x2D)
    append(digits: UInt64(time.day), width: 2)
    append(octet: 0x20)
    append(digits: UInt64(time.hours), width: 2)
    append(octet: 0x3A)
    append(digits: UInt64(time.minutes), width: 2)
    append(octet: 0x3A)
    append(digits: UInt64(time.seconds), width: 2)
    append(repeating: 0x20, count: width - (count - start))
  }

  /// `2026-01-05 07:30:00`, also of fields that are no date.
  mutating func append(plain time: DateTime) {
    let isUsual = time.year <= 9_999 && max(time.month, time.day, time.hours, time.minutes, time.seconds) <= 99
    if isUsual { append(time, columns: 19) } else { append(time.description) }
  }
}

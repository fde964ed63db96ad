import HealthProfiles

extension DateTime {
  /// As `isValid`, without building lists of fields.
  @inline(__always)
  var hasValidFields: Bool {
    year >= 1582 && year <= 9999 && day >= 1 && day <= DateTime.days(inMonth: month, ofYear: year) && hours <= 23
      && minutes <= 59 && seconds <= 59
  }

  /// This valid time moved by minutes; most moves stay within the day.
  @inline(__always)
  func moved(minutes distance: Int) -> DateTime? {
    let minuteOfDay = Int(hours) * 60 + Int(minutes) + distance
    guard minuteOfDay >= 0, minuteOfDay < 1_440 else { return adding(minutes: distance) }
    var time = self
    time.hours = UInt8(truncatingIfNeeded: minuteOfDay / 60)
    time.minutes = UInt8(truncatingIfNeeded: minuteOfDay % 60)
    return time
  }

  /// `2026-01-05T07:30:00`; fields are written as they are, also where they are no date.
  var isoText: String { description.split(separator: " ").joined(separator: "T") }
}

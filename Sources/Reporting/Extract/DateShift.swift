import HealthProfiles

/// By how many days a redaction moves every time: whole weeks, so that no relation, no time of day and no weekday
/// changes.
struct DateShift: Sendable, Equatable {
  var days: Int64

  var microseconds: Int64 { days * DayArithmetic.microsecondsADay }

  init(days: Int64) { self.days = days }

  /// A shift that leaves clocks looking set or unset as they did; 0 days where the capture allows none.
  init(_ key: RedactionKey, recordDays: Set<Int64>, captureDays: ClosedRange<Int64>?) {
    for attempt in UInt64(0)..<64 {
      let word = key.word(.days, [], counter: attempt)
      let weeks = Int64(26 + word % 130)
      // Into the past first: a time to come attracts questions.
      let days = (attempt < 32 ? -7 : 7) * weeks
      if Self.isHarmless(days, recordDays, captureDays) {
        self.init(days: days)
        return
      }
    }
    self.init(days: 0)
  }

  private static func isHarmless(_ days: Int64, _ records: Set<Int64>, _ capture: ClosedRange<Int64>?) -> Bool {
    if let capture {
      for day in [capture.lowerBound, capture.upperBound]
      where DayArithmetic.CaptureDayFacts(day: day) != DayArithmetic.CaptureDayFacts(day: day + days) {
        return false
      }
    }
    return records.allSatisfy {
      DayArithmetic.RecordDayFacts(day: $0) == DayArithmetic.RecordDayFacts(day: $0 + days)
    }
  }

  /// The moved date; what is no date, or would be none of four digits, stays.
  func moved(_ date: DateTime) -> DateTime {
    guard let seconds = date.secondsSince1970,
      let moved = DateTime(secondsSince1970: seconds + days * DayArithmetic.secondsADay)
    else { return date }
    return moved
  }
}

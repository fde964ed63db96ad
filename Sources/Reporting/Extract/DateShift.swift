import HealthProfiles

/// By how many minutes a redaction moves every time, of frames and of records alike: weeks and a part of a day, so that
/// no relation of two times changes and no time of day is kept.
struct DateShift: Sendable, Equatable {
  var minutes: Int64

  var microseconds: Int64 { minutes * 60_000_000 }

  init(minutes: Int64) { self.minutes = minutes }

  /// A shift that leaves clocks looking set or unset as they did.
  ///
  /// A record on a day that must stay the day it is (the default of a clock that was never set) allows whole days only;
  /// 0 where the capture allows none.
  init(_ key: RedactionKey, recordDays: Set<Int64>, captureDays: ClosedRange<Int64>?) {
    for keepsTimeOfDay in [false, true] {
      for attempt in UInt64(0)..<64 {
        let word = key.word(.days, [], counter: attempt)
        let weeks = Int64(26 + word % 130)
        // Into the past first: a time to come attracts questions.
        let days = (attempt < 32 ? -7 : 7) * weeks
        let rest = keepsTimeOfDay ? 0 : 61 + Int64((word >> 32) % 1319)
        // A part of a day may carry a time over midnight.
        let moved = days...(rest == 0 ? days : days + 1)
        if Self.isHarmless(moved, recordDays, captureDays) {
          self.init(minutes: days * DayArithmetic.minutesADay + rest)
          return
        }
      }
    }
    self.init(minutes: 0)
  }

  private static func isHarmless(
    _ days: ClosedRange<Int64>,
    _ records: Set<Int64>,
    _ capture: ClosedRange<Int64>?
  ) -> Bool {
    for moved in days {
      if let capture {
        for day in [capture.lowerBound, capture.upperBound]
        where DayArithmetic.CaptureDayFacts(day: day) != DayArithmetic.CaptureDayFacts(day: day + moved) {
          return false
        }
      }
      let isKept = records.allSatisfy {
        DayArithmetic.RecordDayFacts(day: $0) == DayArithmetic.RecordDayFacts(day: $0 + moved)
      }
      if !isKept { return false }
    }
    return true
  }

  /// The moved date; what is no date, or would be none of four digits, stays.
  func moved(_ date: DateTime) -> DateTime {
    guard let seconds = date.secondsSince1970,
      let moved = DateTime(secondsSince1970: seconds + minutes * 60)
    else { return date }
    return moved
  }

  /// By how many days the calendar day of a date changes.
  func daysMoved(_ date: DateTime) -> Int64 {
    guard let before = date.secondsSince1970, let after = moved(date).secondsSince1970 else { return 0 }
    return DayArithmetic.day(ofSecond: after) - DayArithmetic.day(ofSecond: before)
  }
}

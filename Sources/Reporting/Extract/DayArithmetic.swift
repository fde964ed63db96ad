import HealthProfiles

/// Days since 1970 and the facts about them that findings rest on.
enum DayArithmetic {
  static let secondsADay: Int64 = 86_400
  static let minutesADay: Int64 = 1_440

  /// Days since 1970, also for times before.
  static func day(ofSecond second: Int64) -> Int64 {
    second >= 0 ? second / secondsADay : -((-second + secondsADay - 1) / secondsADay)
  }

  static func day(ofMicrosecond time: Int64) -> Int64 {
    day(ofSecond: time >= 0 ? time / 1_000_000 : -((-time + 999_999) / 1_000_000))
  }

  /// What must stay true of a record's day where it is moved: a clock that looks unset must go on looking so.
  struct RecordDayFacts: Equatable {
    var isReal: Bool
    var isBefore2010: Bool
    var isNewYear: Bool

    init(day: Int64) {
      let date = DateTime(secondsSince1970: day * DayArithmetic.secondsADay)
      let year = date?.year ?? 0
      isReal = (2000...2099).contains(year)
      isBefore2010 = year < 2010
      // The default of clocks that were never set; before 2010 the year alone tells.
      isNewYear = !isBefore2010 && date?.month == 1 && date?.day == 1
    }
  }

  /// What must stay true of a capture's time.
  struct CaptureDayFacts: Equatable {
    var isReal: Bool
    var isBefore2015: Bool

    init(day: Int64) {
      let year = DateTime(secondsSince1970: day * DayArithmetic.secondsADay)?.year ?? 0
      isReal = (2000...2099).contains(year)
      isBefore2015 = year < 2015
    }
  }
}

import HealthProfiles

/// The 19 octets of `2026-01-05T07:30:00` in three words.
struct DateTimeDigits {
  private var date: UInt64
  private var clock: UInt64
  private var seconds: UInt32

  /// The digits of a time whose fields are valid.
  @inline(__always) init(_ time: DateTime) {
    let year = UInt32(time.year)
    date =
      RowWriter.pair(year / 100) | RowWriter.pair(year % 100) &<< 16 | 0x2D &<< 32
      | RowWriter.pair(UInt32(time.month)) &<< 40 | 0x2D &<< 56
    clock = Self.clock(UInt32(time.day), UInt32(time.hours), UInt32(time.minutes))
    seconds = 0x3A | UInt32(truncatingIfNeeded: RowWriter.pair(UInt32(time.seconds))) &<< 8
  }

  /// `05T07:30`.
  @inline(__always) private static func clock(_ day: UInt32, _ hours: UInt32, _ minutes: UInt32) -> UInt64 {
    RowWriter.pair(day) | 0x54 &<< 16 | RowWriter.pair(hours) &<< 24 | 0x3A &<< 40 | RowWriter.pair(minutes) &<< 48
  }

  /// The digits of `time` moved by minutes; nil where that leaves the calendar.
  @inline(__always) func moved(_ time: DateTime, minutes distance: Int) -> DateTimeDigits? {
    let minute = Int(time.hours) * 60 + Int(time.minutes) + distance
    guard minute >= 0, minute < 1_440 else {
      // Another day: every field may change.
      return time.adding(minutes: distance).map(DateTimeDigits.init)
    }
    let minuteOfDay = UInt32(truncatingIfNeeded: minute)
    var digits = self
    digits.clock = Self.clock(UInt32(time.day), minuteOfDay / 60, minuteOfDay % 60)
    return digits
  }

  @inline(__always) func write(to row: inout RowWriter) {
    row.put(date.littleEndian, length: 8)
    row.put(clock.littleEndian, length: 8)
    row.put(seconds.littleEndian, length: 3)
  }
}

import Glibc

/// Writes times and durations; holds the zone's offset of the minute last asked for.
public struct TimeText: Sendable {
  /// Where the clock of the reader stands.
  public enum Zone: Hashable, Sendable {
    case utc
    /// The zone of the process (TZ, /etc/localtime).
    case local
  }

  public let zone: Zone
  private var minute = Int64.min
  private var offset: Int64 = 0

  public init(_ zone: Zone) { self.zone = zone }

  /// Seconds east of Greenwich at a time in microseconds since 1970.
  public mutating func offset(at time: Int64) -> Int64 {
    guard zone == .local else { return 0 }
    let asked = Self.floor(time, 60_000_000)
    if asked == minute { return offset }
    var seconds = time_t(Self.floor(time, 1_000_000))
    var fields = unsafe tm()
    minute = asked
    offset = unsafe localtime_r(&seconds, &fields) == nil ? 0 : Int64(fields.tm_gmtoff)
    return offset
  }

  /// `2026-01-05T07:31:02.118+00:00`.
  public mutating func appendTimestamp(_ time: Int64, to output: inout OutputBuffer) {
    let offset = offset(at: time)
    let local = time &+ offset &* 1_000_000
    appendDate(local, to: &output)
    output.append(octet: 0x54)
    appendClock(local, to: &output)
    output.append(octet: offset < 0 ? 0x2D : 0x2B)
    let minutes = offset.magnitude / 60
    output.append(digits: minutes / 60, width: 2)
    output.append(octet: 0x3A)
    output.append(digits: minutes % 60, width: 2)
  }

  /// Columns of a time of day.
  static let timeOfDayWidth = 12

  /// `07:31:02.118`.
  public mutating func appendTimeOfDay(_ time: Int64, to output: inout OutputBuffer) {
    appendClock(time &+ offset(at: time) &* 1_000_000, to: &output)
  }

  /// `07:31:02`.
  mutating func appendSecondOfDay(_ time: Int64, to output: inout OutputBuffer) {
    appendSeconds(Self.millisecond(time &+ offset(at: time) &* 1_000_000), to: &output)
  }

  /// The day counted from 1970-01-01.
  mutating func day(_ time: Int64) -> Int64 { Self.floor(time &+ offset(at: time) &* 1_000_000, 86_400_000_000) }

  /// `2026-01-05`.
  public mutating func appendDay(_ time: Int64, to output: inout OutputBuffer) {
    appendDate(time &+ offset(at: time) &* 1_000_000, to: &output)
  }

  /// `2026-01-05T07:31:02.118+00:00`.
  public mutating func timestamp(_ time: Int64) -> String {
    var output = OutputBuffer()
    appendTimestamp(time, to: &output)
    return output.text
  }

  /// `07:31:02.118`.
  public mutating func timeOfDay(_ time: Int64) -> String {
    var output = OutputBuffer()
    appendTimeOfDay(time, to: &output)
    return output.text
  }

  /// `340 µs`, `12 ms`, `0.41 s`, `12.3 s`, `3 min 20 s`, `2 h 5 min`, `3 d 4 h` of microseconds.
  public static func duration(_ microseconds: Int64) -> String {
    var output = OutputBuffer()
    if microseconds < 0 { output.append(octet: 0x2D) }
    let span = min(Int64(clamping: microseconds.magnitude), .max - 1_000_000)
    switch span {
    case ..<1_000:
      output.append(decimal: span)
      output.append(span == 0 ? " s" : " µs")
    case ..<100_000:
      output.append(decimal: (span + 500) / 1_000)
      output.append(" ms")
    case ..<9_995_000:
      output.append(fixed: (span + 5_000) / 10_000, places: 2)
      output.append(" s")
    case ..<59_950_000:
      output.append(fixed: (span + 50_000) / 100_000, places: 1)
      output.append(" s")
    default:
      let seconds = (span + 500_000) / 1_000_000
      switch seconds {
      case ..<3_600: pair(seconds, 60, " min", " s", &output)
      case ..<86_400: pair(seconds / 60, 60, " h", " min", &output)
      default: pair(seconds / 3_600, 24, " d", " h", &output)
      }
    }
    return output.text
  }

  private static func pair(_ number: Int64, _ base: Int64, _ large: String, _ small: String, _ out: inout OutputBuffer)
  {
    out.append(decimal: number / base)
    out.append(large)
    guard number % base != 0 else { return }
    out.append(octet: 0x20)
    out.append(decimal: number % base)
    out.append(small)
  }

  private func appendDate(_ local: Int64, to output: inout OutputBuffer) {
    let (year, month, day) = Self.civil(day: Self.floor(local, 86_400_000_000))
    if year < 0 { output.append(octet: 0x2D) }
    output.append(digits: year.magnitude, width: 4)
    output.append(octet: 0x2D)
    output.append(digits: UInt64(month), width: 2)
    output.append(octet: 0x2D)
    output.append(digits: UInt64(day), width: 2)
  }

  private func appendClock(_ local: Int64, to output: inout OutputBuffer) {
    let milliseconds = Self.millisecond(local)
    appendSeconds(milliseconds, to: &output)
    output.append(octet: 0x2E)
    output.append(digits: milliseconds % 1_000, width: 3)
  }

  /// The millisecond of the day.
  private static func millisecond(_ local: Int64) -> UInt64 {
    UInt64(floor(local, 1_000) - floor(local, 86_400_000_000) * 86_400_000)
  }

  private func appendSeconds(_ milliseconds: UInt64, to output: inout OutputBuffer) {
    output.append(digits: milliseconds / 3_600_000, width: 2)
    output.append(octet: 0x3A)
    output.append(digits: milliseconds / 60_000 % 60, width: 2)
    output.append(octet: 0x3A)
    output.append(digits: milliseconds / 1_000 % 60, width: 2)
  }

  private static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
    let quotient = number / divisor
    return number % divisor < 0 ? quotient - 1 : quotient
  }

  /// Year, month and day of a day counted from 1970-01-01 in the proleptic Gregorian calendar.
  static func civil(day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    // Eras of 400 years that begin on 1 March, so that the leap day is the last of its year.
    let shifted = day + 719_468
    let era = floor(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }
}

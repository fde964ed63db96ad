extension DateTime {
  /// Seconds since 1970-01-01 00:00:00 in the same, unnamed time zone (proleptic Gregorian); nil unless valid.
  public var secondsSince1970: Int64? {
    guard isValid else { return nil }
    // Years are counted from March so that the leap day comes last; 400 years have 146097 days.
    let shifted = Int64(year) - (month <= 2 ? 1 : 0)
    let monthFromMarch = (Int64(month) + 9) % 12
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
    let days = 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    return days * 86_400 + Int64(hours) * 3_600 + Int64(minutes) * 60 + Int64(seconds)
  }

  /// The date and time so many seconds after 1970-01-01 00:00:00; nil outside the years 1582...9999.
  public init?(secondsSince1970 total: Int64) {
    guard (-12_244_089_600..<253_402_300_800).contains(total) else { return nil }
    let secondOfDay = ((total % 86_400) + 86_400) % 86_400
    let sinceMarchOfYear0 = (total - secondOfDay) / 86_400 + 719_468
    let era = sinceMarchOfYear0 / 146_097
    let dayOfEra = sinceMarchOfYear0 % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    self.init(
      year: UInt16(era * 400 + yearOfEra + (month <= 2 ? 1 : 0)),
      month: UInt8(month),
      day: UInt8(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1),
      hours: UInt8(secondOfDay / 3_600),
      minutes: UInt8(secondOfDay / 60 % 60),
      seconds: UInt8(secondOfDay % 60)
    )
  }

  /// This time moved by `minutes`, as a Time Offset moves a Base Time (GLS 3.1.1.4); nil unless both are valid.
  public func adding(minutes: Int) -> DateTime? {
    guard let start = secondsSince1970 else { return nil }
    let (seconds, overflow) = Int64(minutes).multipliedReportingOverflow(by: 60)
    let (sum, overflow2) = start.addingReportingOverflow(seconds)
    return overflow || overflow2 ? nil : DateTime(secondsSince1970: sum)
  }
}

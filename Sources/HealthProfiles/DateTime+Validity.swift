extension DateTime {
  /// One of the six fields.
  public enum Field: String, CaseIterable, Sendable {
    case year, month, day, hours, minutes, seconds
  }

  /// True where every field is known and in range and the day exists in its month.
  public var isValid: Bool { unknownFields.isEmpty && invalidFields.isEmpty }

  /// The fields that are 0 for "unknown": year, month or day.
  public var unknownFields: [Field] {
    var fields: [Field] = []
    if year == 0 { fields.append(.year) }
    if month == 0 { fields.append(.month) }
    if day == 0 { fields.append(.day) }
    return fields
  }

  /// The fields outside their range; a day is judged by its month where that is known.
  public var invalidFields: [Field] {
    var fields: [Field] = []
    if year != 0 && !(1582...9999).contains(year) { fields.append(.year) }
    if month > 12 { fields.append(.month) }
    // An unknown year may be a leap year, so 29 February stands.
    let lastDay = Self.days(inMonth: month, ofYear: year == 0 ? 2000 : year)
    if day > (lastDay == 0 ? 31 : lastDay) { fields.append(.day) }
    if hours > 23 { fields.append(.hours) }
    if minutes > 59 { fields.append(.minutes) }
    if seconds > 59 { fields.append(.seconds) }
    return fields
  }
}

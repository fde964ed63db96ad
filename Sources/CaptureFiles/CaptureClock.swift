/// Bounds of believable time stamps, microseconds since 1970.
enum CaptureClock {
  /// 2000-01-01 00:00 UTC.
  static let year2000: Int64 = 946_684_800_000_000
  /// 2100-01-01 00:00 UTC.
  static let year2100: Int64 = 4_102_444_800_000_000
}

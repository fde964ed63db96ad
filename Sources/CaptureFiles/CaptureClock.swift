/// Bounds of believable time stamps, microseconds since 1970 (field rules 0, V-CLOCK): no health device with stored
/// records was captured long before, and a board without a clock starts in 1970 or 2000.
enum CaptureClock {
  /// 2015-01-01 00:00 UTC.
  static let year2015: Int64 = 1_420_070_400_000_000
  /// 2100-01-01 00:00 UTC.
  static let year2100: Int64 = 4_102_444_800_000_000
  /// No log is silent for so long and goes on: a clock that was not set yet has been, or the epoch of some stamps is
  /// another one.
  static let leap: Int64 = 300 * 86_400_000_000
}

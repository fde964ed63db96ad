public import HealthProfiles

/// A write to a device's clock: Current Time or Date Time (CTS 3.1).
public struct TimeWrite: Sendable, Equatable {
  public var frame: UInt32
  /// Microseconds since 1970 UTC.
  public var time: Int64
  /// What was written.
  public var new: DateTime
  /// What the clock said when it was read last on the link; nil where it was not.
  public var old: DateTime?
}

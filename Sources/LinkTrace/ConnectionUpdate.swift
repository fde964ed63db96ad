/// What LE Connection Update Complete tells (Core Vol 4 Part E 7.7.65.3).
public struct ConnectionUpdate: Sendable {
  /// Units of 1.25 ms.
  public var interval: UInt16
  /// Connection events.
  public var latency: UInt16
  /// Units of 10 ms.
  public var supervisionTimeout: UInt16

  /// - Parameter packed: the three fields as they stand in the event, the interval lowest.
  init(packed: UInt64) {
    interval = UInt16(truncatingIfNeeded: packed)
    latency = UInt16(truncatingIfNeeded: packed >> 16)
    supervisionTimeout = UInt16(truncatingIfNeeded: packed >> 32)
  }
}

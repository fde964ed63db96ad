import Glibc

/// The clock that time-outs are measured with: nanoseconds that never step back.
public enum MonotonicClock {
  public static func now() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
  }

  /// Milliseconds from `now` to `deadline` for poll: rounded up, -1 for no deadline.
  static func milliseconds(until deadline: UInt64?, from now: UInt64) -> Int32 {
    guard let deadline else { return -1 }
    guard deadline > now else { return 0 }
    return Int32(clamping: (deadline - now + 999_999) / 1_000_000)
  }
}

extension UInt64 {
  /// Nanoseconds.
  static func seconds(_ count: Double) -> UInt64 { UInt64(count * 1_000_000_000) }
}

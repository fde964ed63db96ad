import BluetoothWire

/// A base time whose fields are packed so that two of them compare as numbers (GLS 3.1.1.3).
public enum PackedTime {
  /// Later than every time: the earliest of none.
  public static let none = UInt64.max

  /// Year, month, day, hours, minutes and seconds of a glucose measurement of ten octets or more.
  @inline(__always)
  static func baseTime(of value: RawSpan) -> UInt64 {
    // From the month on each field is one octet, the most significant first.
    let fields = value.u64(at: 2).byteSwapped & 0xFF_FFFF_FFFF
    return UInt64(value.u16(at: 3)) &<< 40 | fields
  }

  /// False for a base time whose year, month or day is out of its range: it bounds no span.
  static func isPlausible(_ packed: UInt64) -> Bool {
    let month = packed >> 32 & 0xFF
    let day = packed >> 24 & 0xFF
    return packed >> 40 >= 1582 && month >= 1 && month <= 12 && day >= 1 && day <= 31
  }
}

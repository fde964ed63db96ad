import BluetoothWire
public import HealthProfiles

/// A measurement's context in 24 octets (GLS 3.2).
public struct ComparedContext: Sendable, Equatable {
  /// The octets of the fields, in place; those the flags do not announce are 0.
  private var low: UInt64 = 0
  private var high: UInt64 = 0
  /// A checksum of the octets that no field holds; 0 where there are none.
  var undecoded: UInt32 = 0
  /// True where the value ends before the fields its flags announce: it is only known to have come.
  public private(set) var isUnreadable = false

  /// Reads a characteristic's value.
  init(_ value: RawSpan) {
    let flags = value.byteCount > 0 ? value.u8(at: 0) : 0
    let expected = GlucoseMeasurementContext.expectedLength(flags: flags)
    guard value.byteCount >= expected, expected <= 17 else {
      isUnreadable = true
      return
    }
    // The sequence number is that of the measurement: flags and fields are kept, 15 octets at most.
    low = UInt64(flags)
    for place in 3..<expected {
      let octet = UInt64(value.u8(at: place))
      let position = UInt64(place - 2)
      if position < 8 { low |= octet << (8 * position) } else { high |= octet << (8 * (position - 8)) }
    }
    if value.byteCount > expected { undecoded = Checksum.of(value, from: expected) }
  }

  /// The fields; nil where the value was unreadable.
  public var fields: GlucoseMeasurementContext? {
    guard !isUnreadable else { return nil }
    let flags = UInt8(truncatingIfNeeded: low)
    var octets: [UInt8] = [flags, 0, 0]
    for place in 3..<GlucoseMeasurementContext.expectedLength(flags: flags) {
      let position = UInt64(place - 2)
      octets.append(UInt8(truncatingIfNeeded: position < 8 ? low >> (8 * position) : high >> (8 * (position - 8))))
    }
    let bytes = unsafe octets.span.bytes
    return try? GlucoseMeasurementContext(decoding: bytes)
  }
}

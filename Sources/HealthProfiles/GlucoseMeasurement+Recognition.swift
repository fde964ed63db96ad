public import BluetoothWire

extension GlucoseMeasurement {
  /// True where octets on an unnamed handle have the form of a measurement; allocates nothing.
  ///
  /// The length is exactly what the flags announce, no reserved flag is set, and the base time is a real date and time
  /// of the years 2000...2099.
  @inlinable public static func looksLikeMeasurement(_ bytes: RawSpan) -> Bool {
    let count = bytes.byteCount
    guard count >= 10, count <= 17 else { return false }
    let flags = bytes.u8(at: 0)
    guard flags & 0xE0 == 0, count == expectedLength(flags: flags) else { return false }
    let year = bytes.u16(at: 3)
    let day = bytes.u8(at: 6)
    return year >= 2000 && year <= 2099 && day >= 1 && day <= DateTime.days(inMonth: bytes.u8(at: 5), ofYear: year)
      && bytes.u8(at: 7) < 24 && bytes.u8(at: 8) < 60 && bytes.u8(at: 9) < 60
  }
}

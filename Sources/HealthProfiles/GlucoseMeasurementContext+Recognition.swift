public import BluetoothWire

extension GlucoseMeasurementContext {
  /// True where octets on an unnamed handle have the form of a context; allocates nothing.
  ///
  /// The length is exactly what the flags announce, there is a field beyond the sequence number (GLS 3.2), and no field
  /// has a reserved value.
  @inlinable public static func looksLikeContext(_ bytes: RawSpan) -> Bool {
    let count = bytes.byteCount
    guard count >= 4, count <= 17 else { return false }
    let flags = bytes.u8(at: 0)
    guard flags & 0x5F != 0, count == expectedLength(flags: flags) else { return false }
    var offset = 3
    if flags & 0x80 != 0 {
      guard bytes.u8(at: offset) == 0 else { return false }
      offset += 1
    }
    if flags & 0x01 != 0 {
      let carbohydrate = bytes.u8(at: offset)
      guard carbohydrate >= 1, carbohydrate <= 7 else { return false }
      offset += 3
    }
    if flags & 0x02 != 0 {
      let meal = bytes.u8(at: offset)
      guard meal >= 1, meal <= 5 else { return false }
      offset += 1
    }
    if flags & 0x04 != 0 {
      let tester = bytes.u8(at: offset) & 0x0F
      let health = bytes.u8(at: offset) >> 4
      guard tester >= 1, tester <= 3 || tester == 15 else { return false }
      guard health >= 1, health <= 5 || health == 15 else { return false }
      offset += 1
    }
    if flags & 0x08 != 0 { offset += 3 }
    if flags & 0x10 != 0 {
      let medication = bytes.u8(at: offset)
      guard medication >= 1, medication <= 5 else { return false }
    }
    return true
  }
}

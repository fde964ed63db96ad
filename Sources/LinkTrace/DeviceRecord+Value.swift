import BluetoothWire

extension DeviceRecord {
  /// Reads a Glucose Measurement as far as records are told apart; nil where its octets do not reach (GLS 3.1.1).
  ///
  /// - Parameter offset: the Time Offset in force, which one in the value replaces.
  @inline(__always)
  init?(_ value: RawSpan, frame: UInt32, link: UInt32, offset: inout Int16?) {
    guard value.byteCount >= 10 else { return nil }
    let flags = value.u8(at: 0)
    var at = 10
    if flags & 0x01 != 0 {
      guard value.byteCount >= 12 else { return nil }
      offset = Int16(bitPattern: value.u16(at: 10))
      at = 12
    }
    var content: UInt32 = 0
    if flags & 0x02 != 0 {
      guard value.byteCount >= at + 3 else { return nil }
      content = UInt32(value.u16(at: at)) | UInt32(value.u8(at: at + 2)) << 16 | UInt32(flags & 0x06) << 23
    }
    self.init(
      time: PackedTime.baseTime(of: value),
      frame: frame,
      packedContent: content | (offset == nil ? 0 : DeviceRecord.offsetFlag),
      link: link,
      sequence: value.u16(at: 1),
      packedOffset: offset ?? 0
    )
  }
}

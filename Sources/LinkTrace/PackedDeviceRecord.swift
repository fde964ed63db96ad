/// A device's record in 16 octets, for a place that tells its sequence number.
///
/// What does not fit stands elsewhere: dates with fields no clock has, offsets above 34 hours, first deliveries beyond
/// 16,384 links.
struct PackedDeviceRecord: Sendable {
  /// From the low bits: 32 for the frame, or the index of a record that stands elsewhere; 26 for what was measured; one
  /// for a known offset; one for a record that stands elsewhere.
  private var low: UInt64
  /// From the low bits: seconds 6, minutes 6, hours 5, day 5, month 4, year 12; offset 12; link 14.
  private var high: UInt64

  /// The place of no record.
  static let empty = PackedDeviceRecord(low: 0, high: 0)

  private static let offsetBit: UInt64 = 1 << 58
  private static let elsewhereBit: UInt64 = 1 << 59

  private init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Stands for a record that does not fit.
  init(elsewhere index: Int) {
    low = Self.elsewhereBit | UInt64(UInt32(truncatingIfNeeded: index))
    high = 0
  }

  /// Nil for a record that does not fit.
  @inline(__always)
  init?(_ record: DeviceRecord) {
    let time = record.time
    let offset = Int(record.packedOffset) + 2_048
    // Bits above those kept: year, month, day, hours, minutes, seconds.
    guard time & 0xFFF0_00F0_E0E0_C0C0 == 0, offset >= 0, offset < 4_096, record.link < 16_384 else { return nil }
    low = UInt64(record.frame) | UInt64(record.content) << 32
    if record.packedContent & DeviceRecord.offsetFlag != 0 { low |= Self.offsetBit }
    high =
      time & 0x3F | (time >> 8 & 0x3F) << 6 | (time >> 16 & 0x1F) << 12 | (time >> 24 & 0x1F) << 17
      | (time >> 32 & 0xF) << 22 | (time >> 40) << 26 | UInt64(offset) << 38 | UInt64(record.link) << 50
  }

  @inline(__always)
  var isEmpty: Bool { low == 0 }

  /// Where the record stands that does not fit; nil for one that does.
  @inline(__always)
  var elsewhere: Int? { low & Self.elsewhereBit == 0 ? nil : Int(low & 0xFFFF_FFFF) }

  /// The record of a place whose number is known.
  @inline(__always)
  func record(_ sequence: UInt16) -> DeviceRecord {
    let date = (high & 0x3F) | (high >> 6 & 0x3F) << 8 | (high >> 12 & 0x1F) << 16 | (high >> 17 & 0x1F) << 24
    let content = UInt32(truncatingIfNeeded: low >> 32 & 0x03FF_FFFF)
    return DeviceRecord(
      time: date | (high >> 22 & 0xF) << 32 | (high >> 26 & 0xFFF) << 40,
      frame: UInt32(truncatingIfNeeded: low),
      packedContent: content | (low & Self.offsetBit == 0 ? 0 : DeviceRecord.offsetFlag),
      link: UInt32(truncatingIfNeeded: high >> 50),
      sequence: sequence,
      packedOffset: Int16(truncatingIfNeeded: Int(high >> 38 & 0xFFF) - 2_048)
    )
  }
}

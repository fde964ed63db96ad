public import BluetoothWire

/// Current Time: the clock of a device, ten octets (CTS, 0x2A2B).
///
/// `date time 7 · day of week u8 · fractions u8 (1/256 s) · adjust reason u8`.
public struct CurrentTime: Hashable, Sendable {
  public var dateTime: DateTime
  /// 1 Monday ... 7 Sunday, 0 unknown.
  public var dayOfWeek: UInt8
  /// 1/256 s.
  public var fractions: UInt8
  public var adjustReason: AdjustReason

  /// Why the clock was last set; bits 4-7 are reserved.
  public struct AdjustReason: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let manual = AdjustReason(rawValue: 1 << 0)
    public static let externalReference = AdjustReason(rawValue: 1 << 1)
    public static let timeZone = AdjustReason(rawValue: 1 << 2)
    public static let daylightSaving = AdjustReason(rawValue: 1 << 3)

    /// Plain words for every bit that is set, lowest first.
    public var names: [String] {
      let names = ["manual", "external reference", "time zone", "daylight saving"]
      return (0..<8).compactMap { bit in
        guard rawValue & 1 << bit != 0 else { return nil }
        return bit < names.count ? names[bit] : "reserved bit \(bit)"
      }
    }
  }

  public init(dateTime: DateTime, dayOfWeek: UInt8 = 0, fractions: UInt8 = 0, adjustReason: AdjustReason = []) {
    self.dateTime = dateTime
    self.dayOfWeek = dayOfWeek
    self.fractions = fractions
    self.adjustReason = adjustReason
  }

  /// Ten octets; octets after them are ignored.
  public init(decoding bytes: RawSpan) throws(WireError) {
    guard bytes.byteCount >= 10 else {
      throw WireError(.characteristic, offset: 0, needed: 10, available: bytes.byteCount)
    }
    self.init(
      dateTime: DateTime(bytes, at: 0),
      dayOfWeek: bytes.u8(at: 7),
      fractions: bytes.u8(at: 8),
      adjustReason: AdjustReason(rawValue: bytes.u8(at: 9))
    )
  }

  public var octets: [UInt8] { dateTime.octets + [dayOfWeek, fractions, adjustReason.rawValue] }

  /// `Monday`, nil where the day is unknown or no day.
  public var dayName: String? {
    let names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    return dayOfWeek >= 1 && dayOfWeek <= 7 ? names[Int(dayOfWeek) - 1] : nil
  }
}

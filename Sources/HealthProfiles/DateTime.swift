public import BluetoothWire

/// Date Time: a date and a time of day without a time zone, seven octets (GSS Date Time, 0x2A08).
///
/// `year u16 · month · day · hours · minutes · seconds`. Year, month and day may be 0 for "unknown", which the Glucose
/// Service forbids in a Base Time (GLS 3.1.1.3). Any octets decode; `isValid` judges them.
public struct DateTime: Hashable, Sendable {
  /// 1582...9999, or 0 for unknown.
  public var year: UInt16
  /// 1...12, or 0 for unknown.
  public var month: UInt8
  /// 1...31, or 0 for unknown.
  public var day: UInt8
  public var hours: UInt8
  public var minutes: UInt8
  public var seconds: UInt8

  /// How many octets a Date Time has.
  public static let octetCount = 7

  public init(
    year: UInt16,
    month: UInt8,
    day: UInt8,
    hours: UInt8 = 0,
    minutes: UInt8 = 0,
    seconds: UInt8 = 0
  ) {
    self.year = year
    self.month = month
    self.day = day
    self.hours = hours
    self.minutes = minutes
    self.seconds = seconds
  }

  /// Seven octets at `offset`, which the caller has checked.
  @inlinable public init(_ bytes: RawSpan, at offset: Int) {
    year = bytes.u16(at: offset)
    month = bytes.u8(at: offset + 2)
    day = bytes.u8(at: offset + 3)
    hours = bytes.u8(at: offset + 4)
    minutes = bytes.u8(at: offset + 5)
    seconds = bytes.u8(at: offset + 6)
  }

  public init(decoding bytes: RawSpan) throws(WireError) {
    guard bytes.byteCount >= Self.octetCount else {
      throw WireError(.characteristic, offset: 0, needed: Self.octetCount, available: bytes.byteCount)
    }
    self.init(bytes, at: 0)
  }

  /// The seven octets.
  public var octets: [UInt8] {
    [UInt8(truncatingIfNeeded: year), UInt8(truncatingIfNeeded: year >> 8), month, day, hours, minutes, seconds]
  }

  /// How many days a month of the Gregorian calendar has; 0 where there is no such month.
  @inlinable public static func days(inMonth month: UInt8, ofYear year: UInt16) -> UInt8 {
    switch month {
    case 1, 3, 5, 7, 8, 10, 12: 31
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 0
    }
  }
}

extension DateTime: Comparable {
  /// Earlier by calendar, field by field.
  public static func < (left: DateTime, right: DateTime) -> Bool { left.order < right.order }

  private var order: UInt64 {
    UInt64(year) << 40 | UInt64(month) << 32 | UInt64(day) << 24 | UInt64(hours) << 16 | UInt64(minutes) << 8
      | UInt64(seconds)
  }
}

extension DateTime: CustomStringConvertible {
  /// `2026-01-05 07:30:00`; fields are printed as they are, also where they are no date.
  public var description: String {
    let year = String(year)
    return String(repeating: "0", count: max(0, 4 - year.utf8.count)) + year + "-" + twoDigits(month) + "-"
      + twoDigits(day) + " " + twoDigits(hours) + ":" + twoDigits(minutes) + ":" + twoDigits(seconds)
  }

  private func twoDigits(_ value: UInt8) -> String { value < 10 ? "0\(value)" : String(value) }
}

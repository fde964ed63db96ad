public import HealthProfiles

/// One stored measurement of a device, told apart by what it holds and not by how often it came.
public struct DeviceRecord: Sendable, Equatable {
  /// Base time packed as in `PackedTime`: two of them compare as numbers (GLS 3.1.1.3).
  public var time: UInt64
  /// The frame of its first delivery; 0 stands for no record.
  public var frame: UInt32
  /// The unit flag, the concentration and the type and location octet; bit 31 where a Time Offset is known.
  var packedContent: UInt32
  /// Index into the device's links: where it came first.
  public var link: UInt32
  public var sequence: UInt16
  /// Minutes from the base time to the user-facing time; 0 where it is not known (GLS 3.1.1.4).
  var packedOffset: Int16

  static let empty = DeviceRecord(time: 0, frame: 0, packedContent: 0, link: 0, sequence: 0, packedOffset: 0)
  static let offsetFlag: UInt32 = 1 << 31

  /// What was measured: equal for equal concentration, unit, type and location (GLS 3.1.1.5).
  public var content: UInt32 { packedContent & ~Self.offsetFlag }

  /// Minutes; nil where no offset came on its link so far (GLS 3.1.1.4).
  public var offset: Int16? { packedContent & Self.offsetFlag == 0 ? nil : packedOffset }

  /// The base time as a date; its fields may be no date.
  public var baseTime: DateTime {
    DateTime(
      year: UInt16(truncatingIfNeeded: time >> 40),
      month: UInt8(truncatingIfNeeded: time >> 32),
      day: UInt8(truncatingIfNeeded: time >> 24),
      hours: UInt8(truncatingIfNeeded: time >> 16),
      minutes: UInt8(truncatingIfNeeded: time >> 8),
      seconds: UInt8(truncatingIfNeeded: time)
    )
  }

  /// The time on the device's display; nil where the offset is not known or the base time is no date.
  public var userFacingTime: DateTime? { offset.flatMap { baseTime.adding(minutes: Int($0)) } }

  /// True for the same base time and the same result.
  @inline(__always)
  public func isSame(as other: DeviceRecord) -> Bool { time == other.time && content == other.content }
}

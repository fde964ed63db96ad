public import HealthProfiles

/// A stored record of a `ScriptedMeter`.
public struct MeterRecord: Hashable, Sendable {
  public var number: UInt16
  public var baseTime: DateTime
  /// Minutes.
  public var offset: Int16
  /// mg/dL, sent as kg/L with exponent -5.
  public var concentration: UInt16
  /// A context with this meal follows.
  public var meal: UInt8?

  public init(number: UInt16, baseTime: DateTime, offset: Int16, concentration: UInt16, meal: UInt8?) {
    self.number = number
    self.baseTime = baseTime
    self.offset = offset
    self.concentration = concentration
    self.meal = meal
  }

  /// The measurement's octets, with or without Time Offset (GLS 3.1).
  public func measurement(withOffset: Bool) -> [UInt8] {
    var octets: [UInt8] = [0x02 | (withOffset ? 0x01 : 0) | (meal == nil ? 0 : 0x10)]
    octets += [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)] + baseTime.octets
    let bits = UInt16(bitPattern: offset)
    if withOffset { octets += [UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8)] }
    let word = 0xB000 | concentration & 0x07FF
    return octets + [UInt8(truncatingIfNeeded: word), UInt8(truncatingIfNeeded: word >> 8), 0x11]
  }

  /// The context's octets: a meal (GLS 3.2).
  public var context: [UInt8]? {
    meal.map { [0x02, UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8), $0] }
  }
}

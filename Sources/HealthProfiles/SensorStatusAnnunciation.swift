/// What the meter noticed at the measurement: 16 bits, of which 12-15 are reserved (GLS 3.1.1).
public struct SensorStatusAnnunciation: OptionSet, Hashable, Sendable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let batteryLow = SensorStatusAnnunciation(rawValue: 1 << 0)
  public static let sensorMalfunction = SensorStatusAnnunciation(rawValue: 1 << 1)
  public static let sampleSizeInsufficient = SensorStatusAnnunciation(rawValue: 1 << 2)
  public static let stripInsertionError = SensorStatusAnnunciation(rawValue: 1 << 3)
  public static let stripTypeIncorrect = SensorStatusAnnunciation(rawValue: 1 << 4)
  public static let resultTooHigh = SensorStatusAnnunciation(rawValue: 1 << 5)
  public static let resultTooLow = SensorStatusAnnunciation(rawValue: 1 << 6)
  public static let temperatureTooHigh = SensorStatusAnnunciation(rawValue: 1 << 7)
  public static let temperatureTooLow = SensorStatusAnnunciation(rawValue: 1 << 8)
  public static let readInterrupted = SensorStatusAnnunciation(rawValue: 1 << 9)
  public static let generalDeviceFault = SensorStatusAnnunciation(rawValue: 1 << 10)
  public static let timeFault = SensorStatusAnnunciation(rawValue: 1 << 11)

  /// Bits 12-15.
  public static let reserved = SensorStatusAnnunciation(rawValue: 0xF000)

  /// Plain words for every bit that is set, lowest first.
  public var names: [String] {
    (0..<16).compactMap { rawValue & 1 << $0 == 0 ? nil : Self.name(ofBit: $0) }
  }

  /// Plain words for one bit, `reserved bit 12` for a reserved one.
  public static func name(ofBit bit: Int) -> String {
    switch bit {
    case 0: "battery low"
    case 1: "sensor malfunction"
    case 2: "sample size insufficient"
    case 3: "strip insertion error"
    case 4: "strip type incorrect"
    case 5: "result higher than the device can process"
    case 6: "result lower than the device can process"
    case 7: "sensor temperature too high"
    case 8: "sensor temperature too low"
    case 9: "read interrupted"
    case 10: "general device fault"
    case 11: "time fault"
    default: "reserved bit \(bit)"
    }
  }
}

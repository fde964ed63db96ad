public import BluetoothWire

/// Glucose Feature: what the meter can detect, two octets (GLS 3.3, 0x2A51). Bits 11-15 are reserved.
public struct GlucoseFeature: OptionSet, Hashable, Sendable {
  public let rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let lowBatteryDetection = GlucoseFeature(rawValue: 1 << 0)
  public static let sensorMalfunctionDetection = GlucoseFeature(rawValue: 1 << 1)
  public static let sampleSize = GlucoseFeature(rawValue: 1 << 2)
  public static let stripInsertionErrorDetection = GlucoseFeature(rawValue: 1 << 3)
  public static let stripTypeErrorDetection = GlucoseFeature(rawValue: 1 << 4)
  public static let resultHighLowDetection = GlucoseFeature(rawValue: 1 << 5)
  public static let temperatureHighLowDetection = GlucoseFeature(rawValue: 1 << 6)
  public static let readInterruptDetection = GlucoseFeature(rawValue: 1 << 7)
  public static let generalDeviceFault = GlucoseFeature(rawValue: 1 << 8)
  public static let timeFault = GlucoseFeature(rawValue: 1 << 9)
  public static let multipleBond = GlucoseFeature(rawValue: 1 << 10)

  /// Bits 11-15.
  public static let reserved = GlucoseFeature(rawValue: 0xF800)

  /// Two octets, least significant first; octets after them are ignored.
  public init(decoding bytes: RawSpan) throws(WireError) {
    guard bytes.byteCount >= 2 else {
      throw WireError(.characteristic, offset: 0, needed: 2, available: bytes.byteCount)
    }
    self.init(rawValue: bytes.u16(at: 0))
  }

  /// Two octets, least significant first.
  public var octets: [UInt8] { [UInt8(truncatingIfNeeded: rawValue), UInt8(truncatingIfNeeded: rawValue >> 8)] }

  /// The annunciation bits a meter with these features may set; the others must be 0 (GLS 3.3.1).
  public var permittedAnnunciation: SensorStatusAnnunciation {
    // Features 5 and 6 stand for two annunciation bits each, so all later bits move up.
    let single = rawValue & 0x001F
    let result: UInt16 = contains(.resultHighLowDetection) ? 0x0060 : 0
    let temperature: UInt16 = contains(.temperatureHighLowDetection) ? 0x0180 : 0
    let faults = (rawValue & 0x0380) << 2
    return SensorStatusAnnunciation(rawValue: single | result | temperature | faults)
  }

  /// Plain words for every bit that is set, lowest first.
  public var names: [String] {
    (0..<16).compactMap { rawValue & 1 << $0 == 0 ? nil : Self.name(ofBit: $0) }
  }

  /// Plain words for one bit, `reserved bit 11` for a reserved one.
  public static func name(ofBit bit: Int) -> String {
    switch bit {
    case 0: "low battery detection"
    case 1: "sensor malfunction detection"
    case 2: "sample size"
    case 3: "strip insertion error detection"
    case 4: "strip type error detection"
    case 5: "result high-low detection"
    case 6: "temperature high-low detection"
    case 7: "read interrupt detection"
    case 8: "general device fault"
    case 9: "time fault"
    case 10: "multiple bond"
    default: "reserved bit \(bit)"
    }
  }
}

public import BluetoothWire
public import HealthProfiles

/// A glucose meter: its address, its attribute table and its deterministic records.
public struct Meter: Sendable, Hashable {
  /// The advertised and readable name.
  public var name: String
  /// The identity address.
  public var address: DeviceAddress
  /// The services in its advertising data.
  public var advertisedServices: [UInt16] = [0x1808]
  /// What concentrations are sent in.
  public var unit: GlucoseUnit = .kilogramsPerLitre
  /// The lowest sequence number the meter has used.
  public var firstSequenceNumber: UInt16 = 1
  /// Base Time of the first record, in seconds since 1970 (GLS 3.1.1.3).
  public var firstBaseTime: Int64 = 1_771_567_200
  /// Minutes between two records.
  public var minutesApart: Int = 360
  /// Every so many records one has a context; 0 for none.
  public var contextEvery: UInt16 = 4
  /// The Time Offset of records before `clockChange`, in minutes (GLS 3.1.1.4).
  public var timeOffset: Int16 = 0
  /// From which record on the user's clock change is in force.
  public var clockChange: ClockChange?
  /// Where the Glucose Service's declaration stands.
  public var glucoseService: UInt16 = 0x0019
  /// Glucose Feature, 16 bits (GLS 3.3).
  public var feature: UInt16 = 0x07FF
  /// True where a Current Time Service stands behind the Glucose Service.
  public var hasCurrentTime = false
  /// Shifts the concentrations, so that two meters differ.
  public var seed: Int = 0

  /// A change of the user-facing time: Base Time runs on, the offset changes.
  public struct ClockChange: Sendable, Hashable {
    /// The first record with the new offset.
    public var from: UInt16
    /// The new Time Offset in minutes.
    public var timeOffset: Int16

    public init(from: UInt16, timeOffset: Int16) {
      self.from = from
      self.timeOffset = timeOffset
    }
  }

  /// Meter `GM-1 0001` at F0:0D:CA:FE:00:01, and so on.
  public init(number: UInt16 = 1) {
    name = "GM-1 " + fourDigits(number)
    address = DeviceAddress(value: 0xF00D_CAFE_0000 | UInt64(number), isRandom: true)
    seed = Int(number) - 1
  }

  /// The handle of an attribute.
  public func handle(of attribute: MeterAttribute) -> UInt16 {
    switch attribute {
    case .measurement: glucoseService &+ 0x02
    case .measurementConfiguration: glucoseService &+ 0x03
    case .context: glucoseService &+ 0x05
    case .contextConfiguration: glucoseService &+ 0x06
    case .feature: glucoseService &+ 0x08
    case .recordAccess: glucoseService &+ 0x0A
    case .recordAccessConfiguration: glucoseService &+ 0x0B
    case .currentTime: glucoseService &+ 0x0E
    case .deviceName: 0x0003
    case .manufacturer: 0x0010
    case .model: 0x0012
    case .serialNumber: 0x0014
    case .firmware: 0x0016
    case .systemID: 0x0018
    case .handle(let handle): handle
    }
  }

  /// The value a Read Request of the attribute gets; empty where the attribute is not readable.
  public func value(of attribute: MeterAttribute) -> [UInt8] {
    switch attribute {
    case .deviceName: Array(name.utf8)
    case .manufacturer: Array("Example Meters".utf8)
    case .model: Array("GM-1".utf8)
    case .serialNumber: Array(name.utf8.suffix(4))
    case .firmware: Array("1.4.2".utf8)
    case .systemID: Array(address.octets.prefix(3)) + [0xFE, 0xFF] + address.octets.suffix(3)
    case .feature: [UInt8(truncatingIfNeeded: feature), UInt8(truncatingIfNeeded: feature >> 8)]
    default: []
    }
  }
}

/// Four decimal digits.
private func fourDigits(_ number: UInt16) -> String {
  let digits = String(number)
  return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
}

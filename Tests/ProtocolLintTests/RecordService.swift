import BluetoothWire
import HealthProfiles
import Scenarios

/// A service with records and a control point of its own, at 0x0030 behind what every meter here has.
enum RecordService: CaseIterable, Sendable {
  case continuousGlucose
  case bloodPressure
  case pulseOximeter
  case weightScale

  static let controlPoint = MeterAttribute.handle(0x0035)
  private static let measurement = MeterAttribute.handle(0x0032)

  private var service: UInt16 {
    switch self {
    case .continuousGlucose: 0x181F
    case .bloodPressure: 0x1810
    case .pulseOximeter: 0x1822
    case .weightScale: 0x181D
    }
  }

  private var type: UInt16 {
    switch self {
    case .continuousGlucose: 0x2AA7
    case .bloodPressure: 0x2B36
    case .pulseOximeter: 0x2A5E
    case .weightScale: 0x2A9D
    }
  }

  /// True where records are indicated.
  private var indicates: Bool { self == .pulseOximeter || self == .weightScale }

  /// The collector finds the service, alone or beside the glucose service, and pairs.
  func arrival(besideGlucose isBeside: Bool = false) -> Step {
    let rows: [Step.ServiceRow] = (isBeside ? [.init(0x0019, 0x0024, 0x1808)] : []) + [.init(0x0030, 0x0036, service)]
    return .group(
      [
        .arrival, .exchangeMTU(185), .pair(), .askForServices(), .tellServices(rows), .askForServices(from: 0x0037),
        .noMoreServices(from: 0x0037),
      ] + (isBeside ? [.discoverGlucoseCharacteristics] : []) + [
        .askForCharacteristics(from: 0x0030, to: 0x0036),
        .tellCharacteristics([.init(0x0031, indicates ? 0x20 : 0x10, type), .init(0x0034, 0x28, 0x2A52)]),
        .askForCharacteristics(from: 0x0036, to: 0x0036), .noMoreCharacteristics(from: 0x0036),
        .askForDescriptors(from: 0x0033, to: 0x0033), .tellDescriptors([(0x0033, 0x2902)]),
        .askForDescriptors(from: 0x0036, to: 0x0036), .tellDescriptors([(0x0036, 0x2902)]),
      ] + (isBeside ? [.read(.feature)] : [])
    )
  }

  var subscription: Step {
    .group([
      .write(.handle(0x0033), [indicates ? 2 : 1, 0]), .accept, .write(.handle(0x0036), [2, 0]), .accept,
    ])
  }

  func request(_ opCode: RecordAccessOpCode, _ selection: RecordSelection) -> Step {
    .write(Self.controlPoint, RecordAccessRequest(opCode, selection).octets)
  }

  /// Each is five minutes after the one before.
  func records(_ numbers: ClosedRange<UInt16>) -> Step {
    .group(
      numbers.map { number in
        let minutes = number * 5
        let value: [UInt8] =
          [0x06, 0x00, 0x60, 0x00, UInt8(truncatingIfNeeded: minutes), UInt8(truncatingIfNeeded: minutes >> 8)]
          + (self == .continuousGlucose ? [] : [UInt8](repeating: 0, count: 6))
        return indicates
          ? .group([.indicate(Self.measurement, value), .confirm]) : .notify(Self.measurement, value)
      }
    )
  }

  func result(_ opCode: UInt8, _ value: UInt8) -> Step {
    .group([.indicate(Self.controlPoint, [0x06, 0x00, opCode, value]), .confirm])
  }

  func count(_ number: UInt8) -> Step {
    .group([
      request(.count, .all), .accept, .indicate(Self.controlPoint, [0x05, 0x00, number, 0x00]), .confirm,
    ])
  }

  func fetch(_ selection: RecordSelection, _ numbers: ClosedRange<UInt16>) -> Step {
    .group([request(.report, selection), .accept, records(numbers), result(0x01, 0x01)])
  }

  func delete() -> Step { .group([request(.delete, .all), .accept, result(0x02, 0x01)]) }
}

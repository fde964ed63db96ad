import BluetoothWire

/// Discovery of a table that is not the meter's own; left out where a rendering is without discovery.
extension Step {
  /// A service as discovery tells it: its handles and its type.
  public struct ServiceRow: Sendable, Hashable {
    public var first: UInt16
    public var last: UInt16
    public var type: UInt16

    public init(_ first: UInt16, _ last: UInt16, _ type: UInt16) {
      self.first = first
      self.last = last
      self.type = type
    }
  }

  /// A characteristic as discovery tells it: its declaration's handle, its properties and its type; the value follows.
  public struct CharacteristicRow: Sendable, Hashable {
    public var declaration: UInt16
    public var properties: UInt8
    public var type: UInt16

    public init(_ declaration: UInt16, _ properties: UInt8, _ type: UInt16) {
      self.declaration = declaration
      self.properties = properties
      self.type = type
    }
  }

  /// The collector asks for the primary services from a handle on (Core Vol 3 Part G 4.4.1).
  public static func askForServices(from first: UInt16 = 0x0001) -> Step {
    .attribute(
      from: .collector,
      AttributeEncoding.readByGroupTypeRequest(first, 0xFFFF, type: BluetoothUUID(0x2800))
    )
  }

  /// The sensor tells of services.
  public static func tellServices(_ rows: [ServiceRow]) -> Step {
    .attribute(
      from: .sensor,
      AttributeEncoding.listResponse(
        .readByGroupTypeResponse,
        rows.map { octets($0.first) + octets($0.last) + octets($0.type) }
      )
    )
  }

  /// The collector asks for the characteristics in a range (Core Vol 3 Part G 4.6.1).
  public static func askForCharacteristics(from first: UInt16, to last: UInt16) -> Step {
    .attribute(from: .collector, AttributeEncoding.readByTypeRequest(first, last, type: BluetoothUUID(0x2803)))
  }

  /// The sensor tells of characteristics.
  public static func tellCharacteristics(_ rows: [CharacteristicRow]) -> Step {
    .attribute(
      from: .sensor,
      AttributeEncoding.listResponse(
        .readByTypeResponse,
        rows.map { octets($0.declaration) + [$0.properties] + octets($0.declaration &+ 1) + octets($0.type) }
      )
    )
  }

  /// The sensor has no more services from a handle on.
  public static func noMoreServices(from first: UInt16) -> Step {
    .attribute(from: .sensor, AttributeEncoding.errorResponse(to: 0x10, handle: first, error: 0x0A))
  }

  /// The sensor has no more characteristics from a handle on.
  public static func noMoreCharacteristics(from first: UInt16) -> Step {
    .attribute(from: .sensor, AttributeEncoding.errorResponse(to: 0x08, handle: first, error: 0x0A))
  }

  /// The collector asks for the descriptors in a range (Core Vol 3 Part G 4.7.1).
  public static func askForDescriptors(from first: UInt16, to last: UInt16) -> Step {
    .attribute(from: .collector, AttributeEncoding.findInformationRequest(first, last))
  }

  /// The sensor has no descriptors from a handle on.
  public static func noDescriptors(from first: UInt16) -> Step {
    .attribute(from: .sensor, AttributeEncoding.errorResponse(to: 0x04, handle: first, error: 0x0A))
  }

  /// The sensor tells of descriptors.
  public static func tellDescriptors(_ rows: [(handle: UInt16, type: UInt16)]) -> Step {
    .attribute(
      from: .sensor,
      AttributeEncoding.findInformationResponse(rows.map { ($0.handle, BluetoothUUID($0.type)) })
    )
  }

  /// The characteristics of the meter's own glucose service, where the services are told otherwise.
  public static var discoverGlucoseCharacteristics: Step {
    .group([glucoseCharacteristics(hasContext: true), .discoverGlucoseConfigurations])
  }

  /// The same of a sensor that has no characteristic for contexts, and no configurations.
  public static var discoverGlucoseCharacteristicsWithoutContext: Step { glucoseCharacteristics(hasContext: false) }

  private static func glucoseCharacteristics(hasContext: Bool) -> Step {
    let context = hasContext ? [CharacteristicRow(0x001D, 0x10, 0x2A34)] : []
    return .group([
      .askForCharacteristics(from: 0x0019, to: 0x0024),
      .tellCharacteristics(
        [CharacteristicRow(0x001A, 0x10, 0x2A18)] + context
          + [CharacteristicRow(0x0020, 0x02, 0x2A51), CharacteristicRow(0x0022, 0x28, 0x2A52)]
      ), .askForCharacteristics(from: 0x0023, to: 0x0024), .noMoreCharacteristics(from: 0x0023),
    ])
  }

  /// The Client Characteristic Configurations of the meter's own glucose service.
  public static var discoverGlucoseConfigurations: Step {
    .group(
      [UInt16(0x001C), 0x001F, 0x0024].flatMap { handle -> [Step] in
        [.askForDescriptors(from: handle, to: handle), .tellDescriptors([(handle, 0x2902)])]
      }
    )
  }

  private static func octets(_ value: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
  }
}

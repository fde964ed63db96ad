import BluetoothWire

/// A characteristic of an attribute table: declaration, value and descriptors follow each other.
struct CharacteristicDefinition: Sendable {
  var declaration: UInt16
  var type: BluetoothUUID
  var properties: UInt8
  var descriptors: [(handle: UInt16, type: BluetoothUUID)] = []

  var value: UInt16 { declaration &+ 1 }
}

/// A primary service of an attribute table.
struct ServiceDefinition: Sendable {
  var first: UInt16
  var last: UInt16
  var type: BluetoothUUID
  var characteristics: [CharacteristicDefinition]
}

extension Meter {
  /// Generic Access, Generic Attribute, Device Information, Glucose and, where the meter has it, Current Time.
  var services: [ServiceDefinition] {
    let start = glucoseService
    let currentTime = service(
      start &+ 0x0C,
      start &+ 0x0F,
      0x1805,
      [(start &+ 0x0D, 0x2A2B, 0x1A, true)]
    )
    return [
      service(0x0001, 0x0005, 0x1800, [(0x0002, 0x2A00, 0x02, false), (0x0004, 0x2A01, 0x02, false)]),
      service(
        0x0006,
        0x000D,
        0x1801,
        [(0x0007, 0x2A05, 0x20, true), (0x000A, 0x2B29, 0x0A, false), (0x000C, 0x2B2A, 0x02, false)]
      ),
      service(
        0x000E,
        0x0018,
        0x180A,
        [
          (0x000F, 0x2A29, 0x02, false), (0x0011, 0x2A24, 0x02, false), (0x0013, 0x2A25, 0x02, false),
          (0x0015, 0x2A26, 0x02, false), (0x0017, 0x2A23, 0x02, false),
        ]
      ),
      service(
        start,
        start &+ 0x0B,
        0x1808,
        [
          (start &+ 0x01, 0x2A18, 0x10, true), (start &+ 0x04, 0x2A34, 0x10, true),
          (start &+ 0x07, 0x2A51, 0x02, false), (start &+ 0x09, 0x2A52, 0x28, true),
        ]
      ),
    ] + (hasCurrentTime ? [currentTime] : [])
  }

  /// Characteristics as declaration, type, properties and whether a Client Characteristic Configuration follows.
  private func service(
    _ first: UInt16,
    _ last: UInt16,
    _ type: UInt16,
    _ characteristics: [(UInt16, UInt16, UInt8, Bool)]
  ) -> ServiceDefinition {
    ServiceDefinition(
      first: first,
      last: last,
      type: BluetoothUUID(type),
      characteristics: characteristics.map { declaration, type, properties, isConfigurable in
        CharacteristicDefinition(
          declaration: declaration,
          type: BluetoothUUID(type),
          properties: properties,
          descriptors: isConfigurable ? [(declaration &+ 2, BluetoothUUID(0x2902))] : []
        )
      }
    )
  }
}

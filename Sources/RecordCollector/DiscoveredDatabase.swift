import BluetoothWire

/// What discovery has found so far on this link.
struct DiscoveredDatabase: Sendable {
  struct Service: Sendable {
    var uuid: UInt16
    var first: UInt16
    var last: UInt16
    var characteristics: [Characteristic] = []
  }

  struct Characteristic: Sendable {
    var uuid: UInt16?
    var place: AttributeCache.Characteristic
  }

  /// The primary services a sync makes use of, each once: a second one of the same kind is left alone.
  var services: [Service] = []

  /// Generic Attribute, Glucose, Current Time, Device Information.
  static let wanted: Set<UInt16> = [0x1801, 0x1808, 0x1805, 0x180A]

  var hasGlucoseService: Bool { services.contains { $0.uuid == 0x1808 } }

  mutating func add(service uuid: UInt16, _ first: UInt16, _ last: UInt16) {
    guard Self.wanted.contains(uuid), !services.contains(where: { $0.uuid == uuid }) else { return }
    services.append(Service(uuid: uuid, first: first, last: last))
  }

  /// Gives a configuration descriptor to the characteristic it stands in.
  mutating func add(configuration handle: UInt16, service: Int) {
    guard let owner = services[service].characteristics.lastIndex(where: { $0.place.value < handle }) else { return }
    if services[service].characteristics[owner].place.configuration == nil {
      services[service].characteristics[owner].place.configuration = handle
    }
  }

  private func find(_ uuid: UInt16, in service: UInt16) -> AttributeCache.Characteristic? {
    services.first { $0.uuid == service }?.characteristics.first { $0.uuid == uuid }?.place
  }

  /// The handles a sync needs, or nil where the Glucose Service lacks a mandatory one (GLS 3).
  var handles: AttributeCache? {
    guard let glucose = services.first(where: { $0.uuid == 0x1808 }) else { return nil }
    guard let measurement = find(0x2A18, in: 0x1808), measurement.configuration != nil else { return nil }
    guard let recordAccess = find(0x2A52, in: 0x1808), recordAccess.configuration != nil else { return nil }
    var strings: [UInt16: UInt16] = [:]
    for uuid in DeviceInformationReading.characteristics {
      if let place = find(uuid, in: 0x180A) { strings[uuid] = place.value }
    }
    return AttributeCache(
      glucoseService: glucose.first...glucose.last,
      measurement: measurement,
      context: find(0x2A34, in: 0x1808),
      feature: find(0x2A51, in: 0x1808),
      recordAccess: recordAccess,
      serviceChanged: find(0x2A05, in: 0x1801),
      currentTime: find(0x2A2B, in: 0x1805)?.value,
      // Some meters have their clock in the Glucose Service instead of the Current Time Service.
      dateTime: (find(0x2A08, in: 0x1808) ?? find(0x2A08, in: 0x1805))?.value,
      deviceInformation: strings
    )
  }

  var hasDatabaseHash: Bool { find(0x2B2A, in: 0x1801) != nil }
}

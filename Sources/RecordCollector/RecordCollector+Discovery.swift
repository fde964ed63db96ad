import BluetoothWire

extension RecordCollector {
  /// All primary services (Core Vol 3 Part G 4.4.1).
  mutating func findServices(from handle: UInt16) {
    let pdu = AttributeEncoding.readByGroupTypeRequest(handle, 0xFFFF, type: BluetoothUUID(0x2800))
    send(pdu, .services, handle: handle)
  }

  /// All characteristics of a service (Core Vol 3 Part G 4.6.1).
  mutating func findCharacteristics(_ service: Int, from handle: UInt16) {
    let last = database.services[service].last
    let pdu = AttributeEncoding.readByTypeRequest(handle, last, type: BluetoothUUID(0x2803))
    send(pdu, .characteristics(service: service), handle: handle)
  }

  /// All descriptors of a service in one search (Core Vol 3 Part G 4.7.1, GLP 4.3).
  mutating func findDescriptors(_ service: Int, from handle: UInt16) {
    guard handle <= database.services[service].last else { return nextStep() }
    let pdu = AttributeEncoding.findInformationRequest(handle, database.services[service].last)
    send(pdu, .descriptors(service: service), handle: handle)
  }

  mutating func servicesFound(_ pdu: RawSpan, from start: UInt16) {
    let length = Int(pdu.u8At(1) ?? 0)
    guard length == 6 || length == 20 else { return allServicesFound() }
    var offset = 2
    var last: UInt16 = 0
    while offset + length <= pdu.byteCount {
      let first = pdu.u16(at: offset)
      let end = pdu.u16(at: offset + 2)
      if let uuid = BluetoothUUID(pdu, at: offset + 4, count: length - 4)?.short, first > 0, end >= first {
        database.add(service: uuid, first, end)
      }
      last = max(last, end)
      offset += length
    }
    // A list that does not go on would be asked for again and again.
    guard last >= start, last < 0xFFFF else { return allServicesFound() }
    findServices(from: last + 1)
  }

  mutating func allServicesFound() {
    guard database.hasGlucoseService else { return finish(.notAGlucoseMeter) }
    agenda = [.secure]
    for (index, service) in database.services.enumerated() {
      agenda.append(.findCharacteristics(service: index))
      if service.uuid == 0x1808 || service.uuid == 0x1801 { agenda.append(.findDescriptors(service: index)) }
    }
    agenda.append(.concludeDiscovery)
    nextStep()
  }

  mutating func characteristicsFound(_ pdu: RawSpan, service: Int, from start: UInt16) {
    let length = Int(pdu.u8At(1) ?? 0)
    guard length == 7 || length == 21 else { return nextStep() }
    var offset = 2
    var last: UInt16 = 0
    while offset + length <= pdu.byteCount {
      let place = AttributeCache.Characteristic(
        declaration: pdu.u16(at: offset),
        value: pdu.u16(at: offset + 3),
        properties: pdu.u8(at: offset + 2)
      )
      let uuid = BluetoothUUID(pdu, at: offset + 5, count: length - 5)?.short
      if place.value > place.declaration, place.declaration >= start {
        database.services[service].characteristics.append(.init(uuid: uuid, place: place))
      }
      last = max(last, max(place.declaration, place.value))
      offset += length
    }
    guard last >= start, last < database.services[service].last else { return nextStep() }
    findCharacteristics(service, from: last + 1)
  }

  mutating func descriptorsFound(_ pdu: RawSpan, service: Int, from start: UInt16) {
    let length: Int
    switch pdu.u8At(1) {
    case 1: length = 4
    case 2: length = 18
    default: return nextStep()
    }
    var offset = 2
    var last: UInt16 = 0
    while offset + length <= pdu.byteCount {
      let handle = pdu.u16(at: offset)
      if BluetoothUUID(pdu, at: offset + 2, count: length - 2)?.short == 0x2902 {
        database.add(configuration: handle, service: service)
      }
      last = max(last, handle)
      offset += length
    }
    guard last >= start, last < 0xFFFF else { return nextStep() }
    findDescriptors(service, from: last + 1)
  }

  mutating func concludeDiscovery() {
    guard let handles = database.handles else { return finish(.notAGlucoseMeter) }
    attributes = handles
    if database.hasDatabaseHash { agenda.append(.readDatabaseHash) }
    if let handle = handles.serviceChanged?.configuration {
      agenda.append(.subscribe(configuration: handle, value: 2))
    }
    agenda.append(.readDetails)
    agenda += subscriptions
  }

  /// Compares the Database Hash (Core Vol 3 Part G 7.3), or looks whether the control point is still where it was.
  mutating func verifyCache() {
    guard let attributes else { return nextStep() }
    guard attributes.databaseHash == nil else { return readDatabaseHash(verifies: true) }
    let place = attributes.recordAccess
    let pdu = AttributeEncoding.readByTypeRequest(place.declaration, place.value, type: BluetoothUUID(0x2803))
    send(pdu, .probe, handle: place.declaration)
  }

  mutating func readDatabaseHash(verifies: Bool) {
    let pdu = AttributeEncoding.readByTypeRequest(1, 0xFFFF, type: BluetoothUUID(0x2B2A))
    send(pdu, .databaseHash(verifies: verifies), handle: 1)
  }

  mutating func databaseHashRead(_ pdu: RawSpan, verifies: Bool) {
    let hash = pdu.byteCount >= 20 && pdu.u8(at: 1) == 18 ? pdu.part(4, 16).copied() : nil
    if verifies {
      if hash == nil || hash != attributes?.databaseHash { discoverAgain(.staleAttributes) }
    } else {
      attributes?.databaseHash = hash
    }
    nextStep()
  }

  mutating func probed(_ pdu: RawSpan) {
    if let place = attributes?.recordAccess {
      let expected: [UInt8] =
        [0x09, 7, UInt8(truncatingIfNeeded: place.declaration), UInt8(truncatingIfNeeded: place.declaration >> 8)]
        + [place.properties, UInt8(truncatingIfNeeded: place.value), UInt8(truncatingIfNeeded: place.value >> 8)]
        + [0x52, 0x2A]
      if pdu.copied() != expected { discoverAgain(.staleAttributes) }
    }
    nextStep()
  }
}

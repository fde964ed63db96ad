import BluetoothWire
import HealthProfiles

extension ScriptedMeter {
  struct Attribute {
    var handle: UInt16
    var type: UInt16
    var value: [UInt8]
    var endOfGroup: UInt16 = 0
  }

  /// The handles the procedures need.
  struct Places {
    var measurement: UInt16 = 0
    var context: UInt16 = 0
    var recordAccess: UInt16 = 0
    var configurations: [UInt16] = []
    var serviceChanged: UInt16 = 0
  }

  /// The attribute table, in order of handles.
  var table: (attributes: [Attribute], places: Places) {
    var list: [Attribute] = []
    var places = Places()
    var handle = faults.firstHandle
    var group = 0
    func octets(_ value: UInt16) -> [UInt8] {
      [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
    func service(_ uuid: UInt16) {
      group = list.count
      list.append(Attribute(handle: handle, type: 0x2800, value: octets(uuid), endOfGroup: handle))
      handle += 1
    }
    @discardableResult
    func characteristic(_ uuid: UInt16, _ properties: UInt8, _ value: [UInt8]) -> UInt16 {
      list.append(Attribute(handle: handle, type: 0x2803, value: [properties] + octets(handle + 1) + octets(uuid)))
      list.append(Attribute(handle: handle + 1, type: uuid, value: value))
      handle += 2
      if properties & 0x30 != 0 {
        list.append(Attribute(handle: handle, type: 0x2902, value: subscriptions.contains(handle) ? [1, 0] : [0, 0]))
        handle += 1
      }
      list[group].endOfGroup = handle - 1
      return list.last { $0.type == uuid }?.handle ?? 0
    }
    service(0x1801)
    places.serviceChanged = characteristic(0x2A05, 0x20, [])
    if let hash = faults.databaseHash { characteristic(0x2B2A, 0x02, hash) }
    service(faults.isAnotherDevice ? 0x1810 : 0x1808)
    places.measurement = characteristic(0x2A18, 0x10, [])
    places.context = characteristic(0x2A34, 0x10, [])
    characteristic(0x2A51, 0x02, [0x03, 0x04])
    places.recordAccess = characteristic(0x2A52, 0x28, [])
    places.configurations = [places.measurement + 1, places.context + 1, places.recordAccess + 1]
    let time = DateTime(secondsSince1970: clock) ?? DateTime(year: 2026, month: 1, day: 1)
    if faults.hasDateTimeInGlucoseService {
      characteristic(0x2A08, 0x02, time.octets)
    } else {
      service(0x1805)
      characteristic(0x2A2B, 0x12, CurrentTime(dateTime: time).octets)
    }
    service(0x180A)
    characteristic(0x2A29, 0x02, [UInt8]("Example Instruments".utf8))
    characteristic(0x2A24, 0x02, [UInt8]("GM-1, a model with a name of forty octets".utf8))
    characteristic(0x2A25, 0x02, [UInt8]("SN-0001".utf8))
    characteristic(0x2A26, 0x02, [UInt8]("1.0".utf8))
    characteristic(0x2A23, 0x02, [1, 2, 3, 4, 5, 0xCC, 0xBB, 0xAA])
    return (list, places)
  }

  /// The request's type, or nil where it is no 16-bit one.
  private static func type(_ pdu: [UInt8]) -> UInt16 { word(pdu, 5) }

  private func notFound(_ pdu: [UInt8]) -> [UInt8] {
    AttributeEncoding.errorResponse(to: pdu[0], handle: Self.word(pdu, 1), error: 0x0A)
  }

  func groups(_ pdu: [UInt8]) -> [UInt8] {
    let range = Self.word(pdu, 1)...max(Self.word(pdu, 1), Self.word(pdu, 3))
    var entries: [[UInt8]] = []
    for attribute in table.attributes where attribute.type == Self.type(pdu) && range.contains(attribute.handle) {
      guard (entries.count + 1) * 6 + 2 <= mtu else { break }
      var writer = ByteWriter()
      writer.u16(attribute.handle)
      writer.u16(attribute.endOfGroup)
      writer.append(attribute.value)
      entries.append(writer.octets)
    }
    return entries.isEmpty ? notFound(pdu) : AttributeEncoding.listResponse(.readByGroupTypeResponse, entries)
  }

  func byType(_ pdu: [UInt8]) -> [UInt8] {
    let range = Self.word(pdu, 1)...max(Self.word(pdu, 1), Self.word(pdu, 3))
    var entries: [[UInt8]] = []
    for attribute in table.attributes where attribute.type == Self.type(pdu) && range.contains(attribute.handle) {
      let entry =
        [UInt8(truncatingIfNeeded: attribute.handle), UInt8(truncatingIfNeeded: attribute.handle >> 8)]
        + attribute.value
      guard entries.first.map({ $0.count == entry.count }) ?? true else { break }
      guard (entries.count + 1) * entry.count + 2 <= mtu else { break }
      entries.append(entry)
    }
    return entries.isEmpty ? notFound(pdu) : AttributeEncoding.listResponse(.readByTypeResponse, entries)
  }

  func information(_ pdu: [UInt8]) -> [UInt8] {
    let range = Self.word(pdu, 1)...max(Self.word(pdu, 1), Self.word(pdu, 3))
    var entries: [(handle: UInt16, type: BluetoothUUID)] = []
    for attribute in table.attributes where range.contains(attribute.handle) {
      guard (entries.count + 1) * 4 + 2 <= mtu else { break }
      entries.append((attribute.handle, BluetoothUUID(attribute.type)))
    }
    return entries.isEmpty ? notFound(pdu) : AttributeEncoding.findInformationResponse(entries)
  }

  /// The ATT error for want of security, if any.
  var securityError: UInt8? {
    guard faults.requiresSecurity else { return nil }
    if !isEncrypted { return isBonded ? 0x0F : 0x05 }
    return faults.requiresAuthentication && !isAuthenticated ? 0x05 : nil
  }

  func read(_ pdu: [UInt8]) -> [UInt8] {
    let handle = Self.word(pdu, 1)
    guard let attribute = table.attributes.first(where: { $0.handle == handle }) else {
      return AttributeEncoding.errorResponse(to: pdu[0], handle: handle, error: 0x01)
    }
    if attribute.type < 0x2800 || attribute.type > 0x2803, let error = securityError {
      return AttributeEncoding.errorResponse(to: pdu[0], handle: handle, error: error)
    }
    let start = pdu.count == 5 ? Int(Self.word(pdu, 3)) : 0
    guard start <= attribute.value.count else {
      return AttributeEncoding.errorResponse(to: pdu[0], handle: handle, error: 0x07)
    }
    return [pdu[0] + 1] + attribute.value[start...].prefix(mtu - 1)
  }
}

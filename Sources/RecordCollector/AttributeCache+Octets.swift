import BluetoothWire

extension AttributeCache {
  /// The first octet of the stored form; another one is not read.
  private static let version: UInt8 = 1

  /// The stored form: a version octet, then fixed fields, handles as 16 bits, 0 for what is not there.
  public var octets: [UInt8] {
    var writer = ByteWriter([Self.version])
    writer.u16(glucoseService.lowerBound)
    writer.u16(glucoseService.upperBound)
    for characteristic in [measurement, context, feature, recordAccess, serviceChanged] {
      writer.u16(characteristic?.declaration ?? 0)
      writer.u16(characteristic?.value ?? 0)
      writer.u8(characteristic?.properties ?? 0)
      writer.u16(characteristic?.configuration ?? 0)
    }
    writer.u16(currentTime ?? 0)
    writer.u16(dateTime ?? 0)
    writer.u8(UInt8(clamping: deviceInformation.count))
    for (uuid, handle) in deviceInformation.sorted(by: { $0.key < $1.key }).prefix(255) {
      writer.u16(uuid)
      writer.u16(handle)
    }
    writer.append(databaseHash ?? [])
    return writer.octets
  }

  /// Reads the stored form; nil where it is another version or damaged, and then the meter is discovered anew.
  public init?(octets: [UInt8]) {
    let bytes = unsafe octets.span.bytes
    var reader = ByteReader(bytes, layer: .att)
    do throws(WireError) {
      guard try reader.u8() == Self.version else { return nil }
      let first = try reader.u16()
      let last = try reader.u16()
      var found: [Characteristic?] = []
      for _ in 0..<5 { found.append(try Self.characteristic(&reader)) }
      let currentTime = try reader.u16()
      let dateTime = try reader.u16()
      var strings: [UInt16: UInt16] = [:]
      for _ in 0..<(try reader.u8()) {
        let uuid = try reader.u16()
        strings[uuid] = try reader.u16()
      }
      let hash = reader.rest()
      guard first > 0, first <= last, hash.isEmpty || hash.count == 16 else { return nil }
      guard let measurement = found[0], let recordAccess = found[3] else { return nil }
      self.init(
        glucoseService: first...last,
        measurement: measurement,
        context: found[1],
        feature: found[2],
        recordAccess: recordAccess,
        serviceChanged: found[4],
        currentTime: currentTime == 0 ? nil : currentTime,
        dateTime: dateTime == 0 ? nil : dateTime,
        deviceInformation: strings,
        databaseHash: hash.isEmpty ? nil : hash
      )
    } catch {
      return nil
    }
  }

  private static func characteristic(_ reader: inout ByteReader) throws(WireError) -> Characteristic? {
    let declaration = try reader.u16()
    let value = try reader.u16()
    let properties = try reader.u8()
    let configuration = try reader.u16()
    guard value != 0 else { return nil }
    return Characteristic(
      declaration: declaration,
      value: value,
      properties: properties,
      configuration: configuration == 0 ? nil : configuration
    )
  }
}

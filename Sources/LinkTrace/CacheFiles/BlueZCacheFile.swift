import BluetoothWire

/// Reads BlueZ's cache of one device's attributes, a key file whose group `[Attributes]` has a line for each.
///
/// `handle=2800:last handle:UUID` a primary service (2801 a secondary one), `handle=2802:first:last:UUID` an include,
/// `handle=2803:value handle:properties[:value]:UUID` a characteristic, `handle=[value:]UUID` a descriptor; numbers in
/// hexadecimal, UUIDs of 4, 8 or 36 digits (BlueZ `src/settings.c`).
struct BlueZCacheFile {
  private var database = AttributeDatabase()
  private var line = 0

  static func read(_ text: [UInt8], name: String) throws(CacheFileError) -> [SuppliedDatabase] {
    var file = BlueZCacheFile()
    var isInGroup = false
    var hasGroup = false
    for raw in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
      file.line += 1
      let content = trimmed(raw)
      guard let first = content.first, first != UInt8(ascii: "#"), first != UInt8(ascii: ";") else { continue }
      if first == UInt8(ascii: "[") {
        guard content.last == UInt8(ascii: "]") else { throw file.error("a group's name does not end with ].") }
        isInGroup = content.elementsEqual("[Attributes]".utf8)
        hasGroup = hasGroup || isInGroup
      } else if isInGroup {
        try file.attribute(content)
      }
    }
    guard hasGroup, !file.database.isEmpty else {
      throw CacheFileError(
        "it has no group [Attributes] with attributes, so BlueZ has not cached this device's services.",
        hint: "Connect the device once with the cache on (GATT Cache = always in main.conf), then copy the file again."
      )
    }
    return owners(name).map { SuppliedDatabase(device: $0, database: file.database) }
  }

  private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let blanks: [UInt8] = [0x20, 0x09, 0x0D]
    var rest = line
    while let octet = rest.first, blanks.contains(octet) { rest.removeFirst() }
    while let octet = rest.last, blanks.contains(octet) { rest.removeLast() }
    return rest
  }

  /// The device whose address is the file's name: the file does not say whether it is public or random.
  private static func owners(_ name: String) -> [DeviceAddress?] {
    let base = name.split(separator: "/").last.map(String.init) ?? name
    guard let address = DeviceAddress(text: base) else { return [nil] }
    return [address, DeviceAddress(value: address.value, isRandom: true)]
  }

  private func error(_ reason: String) -> CacheFileError {
    CacheFileError(
      reason,
      at: CacheFileError.Position(line: line, column: 1),
      hint: "Copy the file again from /var/lib/bluetooth/ADAPTER/cache/."
    )
  }

  private mutating func attribute(_ content: ArraySlice<UInt8>) throws(CacheFileError) {
    guard content.count <= 256 else { throw error("an attribute's line is longer than 256 octets.") }
    let sides = content.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2, let handle = Self.number(sides[0]), handle > 0 else {
      throw error("an attribute's line does not begin with a handle and =.")
    }
    let fields = sides[1].split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard let last = fields.last, let type = Self.uuid(last) else { throw error("the line does not end in a UUID.") }
    let kind = fields.count > 1 ? String(decoding: fields[0], as: UTF8.self) : ""
    switch (kind, fields.count) {
    case ("2800", 3), ("2801", 3):
      guard let end = Self.number(fields[1]), end >= handle else { throw error("the service ends before it begins.") }
      insert(handle, kind == "2800" ? .primaryService : .secondaryService, type, groupEnd: end)
    case ("2802", 4): insert(handle, .include, type)
    case ("2803", 4), ("2803", 5):
      guard let value = Self.number(fields[1]), value > handle, let properties = Self.number(fields[2]),
        properties <= 0xFF
      else { throw error("the characteristic has no value handle above its own and no properties.") }
      insert(handle, .characteristic, type, UInt8(properties), groupEnd: value)
      insert(value, .value, type, UInt8(properties))
      if fields.count == 5, fields[3].count == 32, type == BluetoothUUID(0x2B2A) {
        database.hash = Self.hash(fields[3])
      }
    case ("2800", _), ("2801", _), ("2802", _), ("2803", _):
      throw error("the declaration has another number of fields.")
    case (_, 1), (_, 2): insert(handle, .descriptor, type)
    default: throw error("the line is no service, include, characteristic or descriptor.")
    }
  }

  private mutating func insert(
    _ handle: UInt16,
    _ kind: Attribute.Kind,
    _ type: BluetoothUUID,
    _ properties: UInt8 = 0,
    groupEnd: UInt16 = 0
  ) {
    database.insert(
      Attribute(
        handle: handle,
        kind: kind,
        type: type,
        properties: properties,
        groupEnd: groupEnd,
        provenance: .supplied
      )
    )
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> UInt16? {
    guard (1...4).contains(digits.count) else { return nil }
    return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  private static func uuid(_ digits: ArraySlice<UInt8>) -> BluetoothUUID? {
    let text = String(decoding: digits, as: UTF8.self)
    guard digits.count == 8 else { return digits.count == 4 || digits.count == 36 ? BluetoothUUID(text: text) : nil }
    return UInt32(text, radix: 16).map { BluetoothUUID(value: BluetoothUUID.base | UInt128($0) << 96) }
  }

  /// The sixteen octets in the order of the wire, the first one lowest.
  private static func hash(_ digits: ArraySlice<UInt8>) -> UInt128? {
    octets(hex: String(decoding: digits, as: UTF8.self)).map { octets in
      octets.reversed().reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
    }
  }
}

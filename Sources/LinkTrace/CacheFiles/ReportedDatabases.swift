import BluetoothWire

/// Reads the attribute tables that `racpscope gatt --format json` writes (schema `racpscope/gatt/1`).
struct ReportedDatabases {
  private let octets: [UInt8]

  /// The tables of the peers; those of this host's own server are passed over.
  static func read(_ octets: [UInt8]) throws(CacheFileError) -> [SuppliedDatabase] {
    try ReportedDatabases(octets: octets).databases(in: try JSONParser.parse(octets))
  }

  private func error(_ reason: String, _ value: JSONValue) -> CacheFileError {
    CacheFileError(
      reason,
      at: JSONParser.position(of: value.offset, in: octets),
      hint: CacheFile.hint
    )
  }

  private func databases(in root: JSONValue) throws(CacheFileError) -> [SuppliedDatabase] {
    guard let schema = root["schema"], case .string(let text) = schema.content else {
      throw error("it has no \"schema\".", root)
    }
    guard text == "racpscope/gatt/1" else {
      throw error("its schema is \"\(text)\", and racpscope/gatt/1 is needed.", schema)
    }
    guard let devices = root["devices"] else { throw error("it has no \"devices\".", root) }
    guard case .array(let list) = devices.content else {
      throw error("\"devices\" is \(devices.kindName) and not an array.", devices)
    }
    var result: [SuppliedDatabase] = []
    for device in list {
      guard case .object = device.content else {
        throw error("a device is \(device.kindName) and not an object.", device)
      }
      if try string("server", of: device) == "local" { continue }
      var database = AttributeDatabase()
      guard let attributes = device["attributes"], case .array(let entries) = attributes.content else {
        throw error("a device has no array \"attributes\".", device)
      }
      for entry in entries {
        if let attribute = try attribute(entry) { database.insert(attribute) }
      }
      if !database.isEmpty { result.append(SuppliedDatabase(device: try address(of: device), database: database)) }
    }
    guard !result.isEmpty else {
      throw CacheFileError(
        "it names no attribute of any peer.",
        hint: "Make it from a capture in which the device is discovered."
      )
    }
    return result
  }

  private func string(_ name: String, of object: JSONValue) throws(CacheFileError) -> String? {
    guard let value = object[name], !value.isNull else { return nil }
    guard case .string(let text) = value.content else {
      throw error("\"\(name)\" is \(value.kindName) and not a string.", value)
    }
    return text
  }

  private func handle(_ name: String, of object: JSONValue) throws(CacheFileError) -> UInt16? {
    guard let value = object[name], !value.isNull else { return nil }
    guard case .integer(let number) = value.content, (1...0xFFFF).contains(number) else {
      throw error("\"\(name)\" is no handle of 1 to 65535.", value)
    }
    return UInt16(number)
  }

  private func address(of device: JSONValue) throws(CacheFileError) -> DeviceAddress? {
    guard let text = try string("address", of: device) else { return nil }
    let isRandom = try string("addressType", of: device) != "public"
    guard let address = DeviceAddress(text: text, isRandom: isRandom) else {
      throw error("\"\(text)\" is no device address.", device["address"] ?? device)
    }
    return address
  }

  /// Nil for a handle that the report lists without a name.
  private func attribute(_ entry: JSONValue) throws(CacheFileError) -> Attribute? {
    guard let handle = try handle("handle", of: entry) else { throw error("an attribute has no \"handle\".", entry) }
    guard let uuid = try string("uuid", of: entry) else { return nil }
    guard let type = BluetoothUUID(text: uuid) else {
      throw error("\"\(uuid)\" is no UUID.", entry["uuid"] ?? entry)
    }
    let word = try string("kind", of: entry) ?? ""
    guard let kind = Attribute.Kind(rawValue: word) else {
      throw error("\"\(word)\" is no kind of attribute.", entry["kind"] ?? entry)
    }
    let isInferred = try string("provenance", of: entry) == Provenance.inferred.name
    return Attribute(
      handle: handle,
      kind: kind,
      type: type,
      properties: try properties(of: entry),
      groupEnd: try self.handle("groupEnd", of: entry) ?? 0,
      provenance: isInferred ? .inferred : .supplied
    )
  }

  private func properties(of entry: JSONValue) throws(CacheFileError) -> UInt8 {
    guard let list = entry["properties"], !list.isNull else { return 0 }
    guard case .array(let words) = list.content else {
      throw error("\"properties\" is \(list.kindName) and not an array.", list)
    }
    var octet: UInt8 = 0
    for word in words {
      guard case .string(let text) = word.content, let bit = CharacteristicProperties(name: text) else {
        throw error("no property of a characteristic has this name.", word)
      }
      octet |= bit.rawValue
    }
    return octet
  }
}

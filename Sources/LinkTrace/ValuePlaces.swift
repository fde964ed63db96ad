import BluetoothWire

/// Where the values of a server stand by their types: every link asks for those of the health profiles, and a table may
/// hold thousands.
struct ValuePlaces: Sendable, Equatable {
  /// Type in the upper, handle in the lower 16 bits, ascending; types of 128 bits are left out.
  private var places: [UInt32] = []

  private func place(_ key: UInt32) -> Int { places.endOfPrefix { $0 < key } }

  /// Nil for what is no value with a type of 16 bits.
  private static func key(_ attribute: Attribute) -> UInt32? {
    guard attribute.kind == .value, let type = attribute.type.short else { return nil }
    return UInt32(type) << 16 | UInt32(attribute.handle)
  }

  mutating func insert(_ attribute: Attribute) {
    guard let key = Self.key(attribute) else { return }
    let index = place(key)
    if index == places.count || places[index] != key { places.insert(key, at: index) }
  }

  mutating func remove(_ attribute: Attribute) {
    guard let key = Self.key(attribute) else { return }
    let index = place(key)
    if index < places.count && places[index] == key { places.remove(at: index) }
  }

  /// Begins anew with what is left of a table.
  mutating func replace(with attributes: [Attribute]) {
    places = attributes.compactMap(Self.key)
    places.sort()
  }

  /// The lowest handle with a type.
  func first(_ type: UInt16) -> UInt16? {
    let index = place(UInt32(type) << 16)
    guard index < places.count, places[index] >> 16 == UInt32(type) else { return nil }
    return UInt16(truncatingIfNeeded: places[index])
  }
}

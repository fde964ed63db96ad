import BluetoothWire

/// What is known of one side's attribute server: attributes in handle order, each with its provenance.
public struct AttributeDatabase: Sendable, Equatable {
  /// In ascending order of handle; a value handle and its declaration are two entries.
  public private(set) var attributes: [Attribute] = []
  private var values = ValuePlaces()
  /// The Database Hash last read (Core Vol 3 Part G 7.3), both halves as they stand; nil where it was not.
  public var hash: UInt128?
  /// Ranges whose discovery was answered to its end, by what was asked: the absence of an entry there means something.
  public private(set) var explored: [ExploredRange] = []

  /// More attributes than any server here has had; what comes beyond is not kept.
  static let limit = 8192

  public init() {}

  /// What another database knows, as `merge` takes it over; it has room for no more than that.
  init(merging other: AttributeDatabase, as provenance: Provenance) {
    attributes = other.attributes.map { Self.copy($0, as: provenance) }
    values = other.values
  }

  private static func copy(_ attribute: Attribute, as provenance: Provenance) -> Attribute {
    var copy = attribute
    copy.provenance = min(provenance, attribute.provenance == .discovered ? provenance : attribute.provenance)
    return copy
  }

  /// A range of handles that a discovery procedure has covered completely.
  public struct ExploredRange: Sendable, Equatable {
    /// 0x2800 services, 0x2803 characteristics, 0 descriptors.
    public var what: UInt16
    public var first: UInt16
    public var last: UInt16
  }

  public var isEmpty: Bool { attributes.isEmpty }

  /// True where a discovery, on this link or an earlier one, or the user gave names: not only traffic that fits them.
  var hasNames: Bool { attributes.contains { $0.provenance >= .remembered } }

  private func position(_ handle: UInt16) -> Int {
    attributes.endOfPrefix { $0.handle < handle }
  }

  /// The attribute with this handle, or nil.
  public subscript(_ handle: UInt16) -> Attribute? {
    let index = position(handle)
    return index < attributes.count && attributes[index].handle == handle ? attributes[index] : nil
  }

  /// Adds an attribute; a better provenance replaces a lesser one, an equal one its predecessor.
  public mutating func insert(_ attribute: Attribute) {
    let index = position(attribute.handle)
    if index < attributes.count && attributes[index].handle == attribute.handle {
      guard attribute.provenance >= attributes[index].provenance else { return }
      var merged = attribute
      if merged.properties == 0 && merged.type == attributes[index].type {
        merged.properties = attributes[index].properties
      }
      // A plain Find Information answer must not turn a characteristic value into a descriptor.
      if merged.kind == .descriptor && merged.type == attributes[index].type { merged.kind = attributes[index].kind }
      if merged.kind != attributes[index].kind || merged.type != attributes[index].type {
        values.remove(attributes[index])
        values.insert(merged)
      }
      attributes[index] = merged
    } else if attributes.count < Self.limit {
      attributes.insert(attribute, at: index)
      values.insert(attribute)
    }
  }

  /// Notes that a discovery was carried out to its end over a range.
  public mutating func markExplored(_ what: UInt16, first: UInt16, last: UInt16) {
    let range = ExploredRange(what: what, first: first, last: last)
    if !explored.contains(range) && explored.count < 256 { explored.append(range) }
  }

  /// The service a handle belongs to, or nil.
  public func service(of handle: UInt16) -> Attribute? {
    var index = position(handle)
    if index < attributes.count && attributes[index].handle == handle && attributes[index].kind.isService {
      return attributes[index]
    }
    while index > 0 {
      index -= 1
      let candidate = attributes[index]
      if candidate.kind.isService { return candidate.groupEnd >= handle ? candidate : nil }
    }
    return nil
  }

  /// The characteristic value a descriptor belongs to: the nearest value before it.
  public func characteristic(ofDescriptor handle: UInt16) -> Attribute? {
    var index = position(handle)
    while index > 0 {
      index -= 1
      let candidate = attributes[index]
      if candidate.kind == .value { return candidate }
      if candidate.kind.isService { return nil }
    }
    return nil
  }

  /// The first value with this type, or nil.
  public func value(_ type: UInt16) -> Attribute? {
    values.first(type).flatMap { self[$0] }
  }

  /// The Client Characteristic Configuration of a value, or nil.
  public func subscriptionHandle(ofValue handle: UInt16) -> UInt16? {
    var index = position(handle)
    guard index < attributes.count, attributes[index].handle == handle else { return nil }
    index += 1
    let wanted = BluetoothUUID(0x2902)
    while index < attributes.count, attributes[index].kind == .descriptor {
      if attributes[index].type == wanted { return attributes[index].handle }
      index += 1
    }
    return nil
  }

  /// Takes over what another database knows, as `provenance`, where this one knows nothing better.
  public mutating func merge(_ other: AttributeDatabase, as provenance: Provenance) {
    for attribute in other.attributes {
      let copy = Self.copy(attribute, as: provenance)
      if let own = self[attribute.handle], own.provenance >= copy.provenance { continue }
      insert(copy)
    }
  }

  /// Takes over what is remembered of the same server; a link that began with just that has nothing to learn.
  mutating func recall(_ known: AttributeDatabase) {
    // Two tables of one origin are told to be equal by their storage, however long they are.
    if attributes != known.attributes { merge(known, as: .remembered) }
  }

  /// Takes the hash just read; what was only remembered of a database with another hash is forgotten.
  mutating func replaceHash(_ read: UInt128) {
    if let hash, hash != read {
      attributes.removeAll { $0.provenance < .supplied }
      values.replace(with: attributes)
    }
    hash = read
  }

  /// Forgets the attributes of a range (Service Changed, Core Vol 3 Part G 7.1).
  public mutating func forget(_ range: ClosedRange<UInt16>) {
    attributes.removeAll { range.contains($0.handle) }
    values.replace(with: attributes)
    explored.removeAll { $0.first <= range.upperBound && $0.last >= range.lowerBound }
    hash = nil
  }
}

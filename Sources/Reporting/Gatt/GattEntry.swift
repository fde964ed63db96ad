public import BluetoothWire
import HealthProfiles
public import LinkTrace

/// One handle of a server: what it is, how that is known, and what it was used for.
public struct GattEntry: Sendable {
  public var handle: UInt16
  /// What discovery, a supplied file or the traffic says of it; nil for a handle that was only used.
  public var attribute: Attribute?
  /// What the handle is to a record fetch; names an inferred handle whose type cannot be told.
  public var role = AttributeRole.unknown
  public var provenance = Provenance.unnamed
  public var reads: UInt32 = 0
  public var writes: UInt32 = 0
  public var notifications: UInt32 = 0
  public var indications: UInt32 = 0

  public init(handle: UInt16) { self.handle = handle }

  /// The type; nil where it is not known.
  public var type: BluetoothUUID? { attribute?.type }

  /// The name of the type, or plain words for a role without one; nil where there is nothing to say.
  public var name: String? {
    if let type { return AssignedNumbers.name(of: type) }
    switch role {
    case .otherRecords: return "records of an unknown profile"
    case .unknown, .other: return nil
    default: return role.type.flatMap(AssignedNumbers.name)
    }
  }

  /// The properties in words; empty where there are none or they are not known.
  public var properties: [String] { CharacteristicProperties(rawValue: attribute?.properties ?? 0).names }

  /// Takes over what one more link says of the attribute: the better provenance wins, of equal ones the later.
  mutating func learn(_ attribute: Attribute) {
    guard attribute.provenance >= provenance else { return }
    var merged = attribute
    if let known = self.attribute, known.type == merged.type {
      if merged.properties == 0 { merged.properties = known.properties }
      if merged.groupEnd == 0 { merged.groupEnd = known.groupEnd }
    }
    self.attribute = merged
    provenance = attribute.provenance
  }

  mutating func count(_ traffic: HandleTraffic) {
    reads &+= traffic.reads
    writes &+= traffic.writes
    notifications &+= traffic.notifications
    indications &+= traffic.indications
    if traffic.role != .unknown { role = traffic.role }
    if attribute == nil, traffic.provenance > provenance { provenance = traffic.provenance }
  }
}

import BluetoothWire
import HealthProfiles

/// What links show of a device: that it is a health device, and of what kind.
public struct HealthSigns: OptionSet, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It advertises or has a service of a health device, or an attribute of one.
  public static let health = HealthSigns(rawValue: 1 << 0)
  /// It holds the records and the control point.
  public static let records = HealthSigns(rawValue: 1 << 1)
  /// Its service is that of a glucose meter by name, not by the shape of its traffic alone.
  public static let glucose = HealthSigns(rawValue: 1 << 2)

  static let all: HealthSigns = [.health, .records, .glucose]

  /// What a link by itself shows of the device on one side.
  init(_ history: borrowing LinkHistory, of side: Side) {
    self = []
    if side == .remote ? history.peerOffersHealth : history.localOffersHealth { insert(.health) }
    // What fits the control point alone is too weak a sign to be held against other links.
    for traffic in history.handles where traffic.server == side && traffic.provenance >= .inferred {
      take(traffic.role, isNamed: traffic.provenance >= .remembered)
    }
    let database = history.database(side)
    if database.isEmpty || self == .all { return }
    for type: UInt16 in [0x2A52, 0x2A18, 0x2B27, 0x2A34, 0x2A51, 0x2AA7] {
      guard let value = database.value(type) else { continue }
      take(AttributeRole(value.type), isNamed: value.provenance >= .remembered)
    }
    for attribute in database.attributes where attribute.kind.isService {
      guard let type = attribute.type.short, AssignedNumbers.isHealthService(type) else { continue }
      insert(.health)
      if type == 0x1808 || type == 0x181F { insert(.glucose) }
    }
  }

  private mutating func take(_ role: AttributeRole, isNamed: Bool) {
    switch role {
    case .recordAccess, .insulinRecordAccess, .insulinHistory: formUnion([.health, .records])
    case .glucoseMeasurement:
      formUnion([.health, .records])
      if isNamed { insert(.glucose) }
    case .glucoseContext, .glucoseFeature:
      insert(.health)
      if isNamed { insert(.glucose) }
    case .otherRecords: insert(.health)
    case .unknown, .subscription, .other: return
    }
  }
}

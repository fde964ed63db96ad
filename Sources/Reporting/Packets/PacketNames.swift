import BluetoothWire
import HealthProfiles
import LinkTrace

/// What the handles of a link's two servers are called.
struct PacketNames {
  private let roles: [UInt32: (role: AttributeRole, provenance: Provenance)]
  private let local: AttributeDatabase
  private let remote: AttributeDatabase

  init(_ history: borrowing LinkHistory) {
    var roles: [UInt32: (role: AttributeRole, provenance: Provenance)] = [:]
    for traffic in history.handles {
      roles[UInt32(traffic.handle) << 1 | UInt32(traffic.server.rawValue)] = (traffic.role, traffic.provenance)
    }
    self.roles = roles
    local = history.local
    remote = history.remote
  }

  private func database(_ server: Side) -> AttributeDatabase { server == .local ? local : remote }

  func role(_ handle: UInt16, _ server: Side) -> AttributeRole {
    roles[UInt32(handle) << 1 | UInt32(server.rawValue)]?.role
      ?? database(server)[handle].map { AttributeRole($0.type) } ?? .unknown
  }

  func provenance(_ handle: UInt16, _ server: Side) -> Provenance {
    roles[UInt32(handle) << 1 | UInt32(server.rawValue)]?.provenance ?? database(server)[handle]?.provenance ?? .unnamed
  }

  /// The type of an attribute, by its database or its role.
  func type(_ handle: UInt16, _ server: Side) -> BluetoothUUID? {
    database(server)[handle]?.type ?? role(handle, server).type
  }

  /// The 16 bits of the service a handle stands in.
  func service(_ handle: UInt16, _ server: Side) -> UInt16? {
    if let service = database(server).service(of: handle) { return service.type.short }
    switch role(handle, server) {
    case .glucoseMeasurement, .glucoseContext, .glucoseFeature: return 0x1808
    default: return nil
    }
  }

  /// The name of an attribute; nil where nothing names it.
  func name(_ handle: UInt16, _ server: Side) -> String? {
    let provenance = provenance(handle, server)
    let mark = provenance == .inferred || provenance == .inferredWeak ? "?" : ""
    if let attribute = database(server)[handle] {
      let name = AssignedNumbers.name(of: attribute.type) ?? attribute.type.description
      guard attribute.kind == .descriptor, let owner = database(server).characteristic(ofDescriptor: handle) else {
        return attribute.kind == .characteristic ? "declaration of \(name)\(mark)" : name + mark
      }
      return "\(name) of \(AssignedNumbers.name(of: owner.type) ?? owner.type.description)\(mark)"
    }
    switch role(handle, server) {
    case .subscription: return "Client Characteristic Configuration" + mark
    case .otherRecords: return "records" + mark
    case let role: return role.type.flatMap { AssignedNumbers.name(of: $0) }.map { $0 + mark }
    }
  }

  /// `0x0023 Glucose Measurement`.
  func label(_ handle: UInt16, _ server: Side) -> String {
    let number = "0x" + hex(UInt64(handle), digits: 4)
    return name(handle, server).map { number + " " + $0 } ?? number
  }
}

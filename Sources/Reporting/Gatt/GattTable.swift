public import BluetoothWire
import LinkTrace

/// The attribute table of one server, gathered over every link it was seen on.
public struct GattTable: Sendable {
  /// Whose server it is.
  public enum Server: String, Sendable {
    case peer
    /// This host's own.
    case local
  }

  public var server: Server
  /// The identity address, or the one it connected with; nil where the capture shows none.
  public var address: DeviceAddress?
  /// The controller, for this host's own server.
  public var adapter: UInt16
  /// The name it advertised or that was read from it.
  public var name: [UInt8]?
  /// The Database Hash last read (Core Vol 3 Part G 7.3), its first octet lowest.
  public var hash: UInt128?
  /// In ascending order of handle.
  public private(set) var entries: [GattEntry] = []
  /// The links it was seen on, ascending.
  public var links: [UInt32] = []

  init(server: Server, address: DeviceAddress?, adapter: UInt16) {
    self.server = server
    self.address = address
    self.adapter = adapter
  }

  /// The sixteen octets of the Database Hash in the order of the wire.
  public var hashOctets: [UInt8]? {
    hash.map { hash in (0..<16).map { UInt8(truncatingIfNeeded: hash >> (8 * UInt128($0))) } }
  }

  private mutating func entry(_ handle: UInt16) -> Int {
    let place = entries.endOfPrefix { $0.handle < handle }
    let isKnown = place < entries.count && entries[place].handle == handle
    if !isKnown { entries.insert(GattEntry(handle: handle), at: place) }
    return place
  }

  /// Takes over one link: what is known of the server, and the use of its handles.
  mutating func learn(_ history: borrowing LinkHistory, _ side: Side) {
    let database = side == .local ? history.local : history.remote
    if let read = database.hash { hash = read }
    for attribute in database.attributes { entries[entry(attribute.handle)].learn(attribute) }
    for traffic in history.handles where traffic.server == side {
      let slot = entry(traffic.handle)
      if let type = traffic.role.type, entries[slot].attribute == nil {
        entries[slot].learn(
          Attribute(handle: traffic.handle, kind: .value, type: type, provenance: traffic.provenance)
        )
      }
      entries[slot].count(traffic)
    }
    for subscription in history.subscriptions where subscription.isInferred && subscription.server == side {
      let slot = entry(subscription.descriptor)
      guard entries[slot].attribute == nil else { continue }
      entries[slot].learn(
        Attribute(
          handle: subscription.descriptor,
          kind: .descriptor,
          type: BluetoothUUID(0x2902),
          provenance: .inferred
        )
      )
    }
    links.append(history.number)
  }
}

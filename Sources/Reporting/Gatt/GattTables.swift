import BluetoothWire
public import LinkTrace

/// Gathers the attribute tables of every server a capture shows: each peer's, and this host's own.
///
/// Run it over a capture once more with the tracker's memory where that has `learnedLate`: then a table is named on
/// the links before its discovery as well.
public struct GattTables: LinkConsumer, Sendable {
  /// Peers in the order they were met, then this host's own servers.
  public var tables: [GattTable] { peers + locals }

  private var peers: [GattTable] = []
  private var locals: [GattTable] = []
  private var positions: [DeviceAddress: Int] = [:]
  /// More devices than a capture of one host should meet; of further ones nothing is kept.
  private static let limit = 20_000

  public init() {}

  public mutating func take(_ history: borrowing LinkHistory, from tracker: borrowing LinkTracker) {
    if !history.remote.isEmpty || history.handles.contains(where: { $0.server == .remote }) {
      learnPeer(history, tracker)
    }
    guard !history.local.isEmpty || history.handles.contains(where: { $0.server == .local }) else { return }
    let adapter = history.adapter
    let position = locals.firstIndex { $0.adapter == adapter } ?? locals.count
    if position == locals.count {
      locals.append(GattTable(server: .local, address: history.localAddress, adapter: adapter))
    }
    if locals[position].address == nil { locals[position].address = history.localAddress }
    locals[position].learn(history, .local)
  }

  private mutating func learnPeer(_ history: borrowing LinkHistory, _ tracker: borrowing LinkTracker) {
    let address = history.peerIdentity ?? history.start?.peer
    let known = address.flatMap { positions[$0] }
    guard known != nil || peers.count < Self.limit else { return }
    let position = known ?? peers.count
    if known == nil {
      peers.append(GattTable(server: .peer, address: address, adapter: history.adapter))
      if let address { positions[address] = position }
    }
    peers[position].learn(history, .remote)
    if let address, let name = tracker.memory.names[address] {
      peers[position].name = name
    } else if peers[position].name == nil {
      peers[position].name = history.deviceNameRead
    }
  }
}

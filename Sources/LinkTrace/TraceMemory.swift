public import BluetoothWire

/// What one link teaches about the next: identities, attribute databases, names of devices.
///
/// A second pass over the same input starts with the memory of the first, so that what is discovered late names what
/// came early.
public struct TraceMemory: Sendable {
  public var identities = IdentityStore()
  /// The peer's database by identity address; provenance `remembered` or `inferred`.
  public private(set) var databases: [DeviceAddress: AttributeDatabase] = [:]
  /// The local server's database by adapter index.
  public private(set) var localDatabases: [UInt16: AttributeDatabase] = [:]
  /// What the user gave (`--gatt`), used for every peer that it fits.
  public var supplied: [SuppliedDatabase] = []
  /// Advertised names by address.
  public private(set) var names: [DeviceAddress: [UInt8]] = [:]
  /// True where something was learned that would have named an earlier link better.
  public internal(set) var learnedLate = false
  /// Identities of links that ended with handles only inferred.
  private var unnamedIdentities: Set<DeviceAddress> = []
  /// The same of the captured hosts' own servers.
  private var unnamedAdapters: Set<UInt16> = []
  /// The addresses of the captured hosts by adapter index.
  private var localAddresses: [UInt16: DeviceAddress] = [:]
  /// Identities of links that ended without an attribute of the peer being used.
  private var silentIdentities: Set<DeviceAddress> = []
  /// Devices whose table was discovered under a bond that is still in use: it holds them to their tables.
  private var bondedIdentities: Set<DeviceAddress> = []
  /// What the bond with a peer keeps of the subscriptions, where the input shows all of them since they bonded.
  private var subscriptions: [DeviceAddress: StoredSubscriptions] = [:]
  /// Private addresses of links that no key resolved, the first few.
  private var unresolved: [DeviceAddress] = []

  /// The tables kept last: devices of one make have equal ones, which then share their storage.
  private var recent: [AttributeDatabase] = []
  private static let recentLimit = 8

  /// More devices than one capture of one host should meet; beyond it nothing more is remembered.
  private static let limit = 20_000

  public init() {}

  /// Begins another pass over the same input with what this one has learned.
  public mutating func startSecondPass() {
    learnedLate = false
    unnamedIdentities.removeAll()
    unnamedAdapters.removeAll()
    silentIdentities.removeAll()
    bondedIdentities.removeAll()
    subscriptions.removeAll()
    unresolved.removeAll()
  }

  /// Takes over what another capture of the same devices tells and this one does not: the names of their attributes, and
  /// keys that resolve private addresses met here.
  ///
  /// - Returns: true where links of this capture would be named better.
  public mutating func adopt(from other: TraceMemory) -> Bool {
    var isBetter = false
    let inferred = databases.filter { !$0.value.hasNames }.keys
    for identity in unnamedIdentities.union(inferred) {
      guard databases[identity]?.hasNames != true, let known = other.databases[identity], known.hasNames
      else { continue }
      databases[identity] = known
      isBetter = true
    }
    let inferredLocally = localDatabases.filter { !$0.value.hasNames }.keys
    for adapter in unnamedAdapters.union(inferredLocally) {
      guard let address = localAddresses[adapter], localDatabases[adapter]?.hasNames != true,
        let same = other.localAddresses.first(where: { $0.value == address })?.key,
        let known = other.localDatabases[same], known.hasNames
      else { continue }
      localDatabases[adapter] = known
      isBetter = true
    }
    var keys = other.identities
    if unresolved.contains(where: { keys.identity(of: $0) != nil && identities.identity(of: $0) == nil }) {
      identities.adopt(other.identities)
      isBetter = true
    }
    return isBetter
  }

  /// Takes over an identity key; an earlier link may have been with its device.
  mutating func learn(key: [UInt8], of identity: DeviceAddress) {
    let before = identities.count
    identities.learn(key: key, identity: identity)
    guard identities.count > before, !learnedLate else { return }
    for address in unresolved where identities.identity(of: address) != nil { learnedLate = true }
  }

  /// Takes over an advertised name.
  mutating func learn(name: [UInt8], of address: DeviceAddress) {
    if names[address] == nil && names.count < Self.limit { names[address] = name }
  }

  /// Takes over what a link's discovery and traffic have told.
  mutating func learn(_ history: LinkHistory) {
    let database = history.remote
    if let identity = history.peerIdentity {
      if history.counts.discoveries > 0 || hasInferred(history, .remote) {
        if databases[identity] == nil {
          if unnamedIdentities.contains(identity) { learnedLate = true }
          // What went wrong on a link before the first discovery matters where its device turns out to hold records.
          let isHealth = database.value(0x2A52) != nil || database.value(0x2A18) != nil
          if isHealth && silentIdentities.contains(identity) { learnedLate = true }
        }
        Self.keep(database, of: history, .remote, in: &databases, for: identity, sharing: &recent)
      } else if databases[identity] == nil && history.handles.contains(where: { $0.provenance < .remembered }) {
        if unnamedIdentities.count < Self.limit { unnamedIdentities.insert(identity) }
      } else if databases[identity] == nil && history.handles.isEmpty && silentIdentities.count < Self.limit {
        silentIdentities.insert(identity)
      }
      learnBond(history, identity)
    }
    if history.peerIdentity == nil, let peer = history.start?.peer, unresolved.count < 256 { unresolved.append(peer) }
    if let address = history.localAddress { localAddresses[history.adapter] = address }
    if history.counts.discoveries > 0 || hasInferred(history, .local) {
      Self.keep(history.local, of: history, .local, in: &localDatabases, for: history.adapter, sharing: &recent)
    } else if localDatabases[history.adapter] == nil && history.localAddress != nil
      && history.handles.contains(where: { $0.server == .local && $0.provenance < .remembered })
    {
      unnamedAdapters.insert(history.adapter)
    }
  }

  /// Follows whether the names that are remembered of a peer hold (Core Vol 3 Part G 2.5.2).
  private mutating func learnBond(_ history: LinkHistory, _ identity: DeviceAddress) {
    guard history.events.contains(where: { $0.kind == .encryptionChange || $0.kind == .pairingRequest }) else { return }
    let security = DeviceSecurity(history, sensor: .remote)
    learnSubscriptions(history, identity, security)
    let isDiscovered = history.counts.discoveries > 0
    if isDiscovered && (security.hasBonded || security.usedStoredKey) {
      if bondedIdentities.count < Self.limit { bondedIdentities.insert(identity) }
    } else if security.hasBonded || security.refusalFrame != 0 {
      // A new bond does not vouch for what was discovered under another one.
      bondedIdentities.remove(identity)
    }
  }

  private mutating func learnSubscriptions(
    _ history: LinkHistory,
    _ identity: DeviceAddress,
    _ security: DeviceSecurity
  ) {
    var kept: StoredSubscriptions?
    if security.hasBonded && !security.usedStoredKey {
      kept = StoredSubscriptions()
    } else if security.usedStoredKey && security.pairingFrame == 0 {
      kept = subscriptions[identity]
    } else if security.pairingFrame == 0 && security.refusalFrame == 0 {
      return
    }
    guard var next = kept, let sensor = history.sensor, next.take(history, sensor) else {
      subscriptions[identity] = nil
      return
    }
    if subscriptions[identity] != nil || subscriptions.count < Self.limit { subscriptions[identity] = next }
  }

  /// What a bond keeps of a device's or a collector's subscriptions; nil where the input does not show it.
  func storedSubscriptions(of identity: DeviceAddress) -> StoredSubscriptions? { subscriptions[identity] }

  /// True where the table of a device was discovered under a bond that is, as far as the input shows, still there.
  func holdsNames(of identity: DeviceAddress) -> Bool { bondedIdentities.contains(identity) }

  private func hasInferred(_ history: LinkHistory, _ side: Side) -> Bool {
    history.handles.contains { $0.server == side && $0.provenance == .inferred }
  }

  /// Static, so that the table it changes is not held by `self` at the same time, which would copy it for each link.
  private static func keep<Key: Hashable>(
    _ database: AttributeDatabase,
    of history: LinkHistory,
    _ side: Side,
    in memory: inout [Key: AttributeDatabase],
    for key: Key,
    sharing recent: inout [AttributeDatabase]
  ) {
    guard memory[key] != nil || memory.count < limit else { return }
    var kept = AttributeDatabase(merging: database, as: .remembered)
    kept.hash = database.hash
    for traffic in history.handles where traffic.server == side && traffic.provenance == .inferred {
      if let type = traffic.role.type, kept[traffic.handle] == nil {
        kept.insert(Attribute(handle: traffic.handle, kind: .value, type: type, provenance: .inferred))
      }
    }
    if let earlier = memory[key] {
      let isChanged = earlier.hash != nil && kept.hash != nil && earlier.hash != kept.hash
      if !isChanged { kept.merge(earlier, as: .remembered) }
    }
    if let changed = history.changedRange(side) { kept.forget(changed) }
    guard !kept.isEmpty || memory[key] != nil else { return }
    if let equal = recent.first(where: { $0 == kept }) {
      memory[key] = equal
      return
    }
    memory[key] = kept
    if recent.count >= recentLimit { recent.removeFirst() }
    recent.append(kept)
  }
}

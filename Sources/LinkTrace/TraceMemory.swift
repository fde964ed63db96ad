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
  /// True where something was learned that would have named an earlier link, or its device, better.
  public internal(set) var learnedLate = false
  /// True where names or identities are among it, not only what a device is.
  public private(set) var learnedNamesLate = false
  /// Identities of links that ended with handles only inferred.
  private var unnamedIdentities: Set<DeviceAddress> = []
  /// The same of the captured hosts' own servers.
  private var unnamedAdapters: Set<UInt16> = []
  /// The addresses of the captured hosts by adapter index.
  private var localAddresses: [UInt16: DeviceAddress] = [:]
  /// What is known of peers as health devices, and of the captured hosts themselves by adapter index.
  private var peers: [DeviceAddress: DeviceAcquaintance] = [:]
  private var hosts: [UInt16: DeviceAcquaintance] = [:]
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

  /// Begins another pass over the same input with what this one has learned, beginning with `given`.
  ///
  /// Names that no link lacked are left to be learned again, each where it was discovered.
  public mutating func startSecondPass(after given: TraceMemory) {
    let keepsNames = learnedNamesLate
    startSecondPass()
    if keepsNames { return }
    databases = given.databases
    localDatabases = given.localDatabases
  }

  /// Begins another pass over the same input with all that this one has learned.
  public mutating func startSecondPass() {
    learnedLate = false
    learnedNamesLate = false
    unnamedIdentities.removeAll()
    unnamedAdapters.removeAll()
    for identity in peers.keys { peers[identity]?.startSecondPass() }
    for adapter in hosts.keys { hosts[adapter]?.startSecondPass() }
    bondedIdentities.removeAll()
    subscriptions.removeAll()
    unresolved.removeAll()
  }

  /// Takes over what another capture of the same devices tells and this one does not: the names of their attributes,
  /// keys that resolve private addresses met here, and that they are health devices.
  ///
  /// - Returns: true where links of this capture, or their devices, would be named better.
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
    if hear(of: other) { isBetter = true }
    return isBetter
  }

  /// Takes over what another capture shows of the devices of this one, by addresses that stay the same; true where a link
  /// was read without it.
  private mutating func hear(of other: TraceMemory) -> Bool {
    var isNew = false
    for (identity, known) in other.peers where identity.kind == .public || identity.kind == .randomStatic {
      if peers[identity]?.hear(known.signs) == true { isNew = true }
    }
    for (adapter, address) in localAddresses {
      guard let same = other.localAddresses.first(where: { $0.value == address })?.key, let known = other.hosts[same]
      else { continue }
      if hosts[adapter]?.hear(known.signs) == true { isNew = true }
    }
    return isNew
  }

  /// Takes over an identity key; an earlier link may have been with its device.
  mutating func learn(key: [UInt8], of identity: DeviceAddress) {
    let before = identities.count
    identities.learn(key: key, identity: identity)
    guard identities.count > before, !learnedLate else { return }
    if unresolved.contains(where: { identities.identity(of: $0) != nil }) { namesComeLate() }
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
          if unnamedIdentities.contains(identity) { namesComeLate() }
        }
        Self.keep(database, of: history, .remote, in: &databases, for: identity, sharing: &recent)
      } else if databases[identity] == nil && history.handles.contains(where: { $0.provenance < .remembered }) {
        if unnamedIdentities.count < Self.limit { unnamedIdentities.insert(identity) }
      }
      learnBond(history, identity)
    } else {
      forgetSubscriptions(writtenOn: history, nil)
    }
    learnDevice(history)
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

  private mutating func namesComeLate() {
    learnedLate = true
    learnedNamesLate = true
  }

  /// Takes over what a link shows of its device: what went wrong on an earlier link matters where the device turns out
  /// to be a health device.
  private mutating func learnDevice(_ history: LinkHistory) {
    var isInTime = true
    switch history.peripheral {
    case .remote:
      guard let identity = history.peerIdentity, peers[identity] != nil || peers.count < Self.limit else { return }
      isInTime = peers[identity, default: DeviceAcquaintance()].meet(HealthSigns(history, of: .remote))
    case .local:
      isInTime = hosts[history.adapter, default: DeviceAcquaintance()].meet(HealthSigns(history, of: .local))
    case nil:
      // Whose device it is shows all the same where it is the captured host.
      isInTime = !hosts[history.adapter, default: DeviceAcquaintance()].hear(HealthSigns(history, of: .local))
    }
    if !isInTime { learnedLate = true }
  }

  /// What the input shows of a peer, or of the captured host, as a health device.
  func signs(of identity: DeviceAddress) -> HealthSigns { peers[identity]?.signs ?? [] }
  func signs(ofHost adapter: UInt16) -> HealthSigns { hosts[adapter]?.signs ?? [] }

  /// Follows whether the names that are remembered of a peer hold (Core Vol 3 Part G 2.5.2).
  private mutating func learnBond(_ history: LinkHistory, _ identity: DeviceAddress) {
    guard history.events.contains(where: { $0.kind == .encryptionChange || $0.kind == .pairingRequest }) else {
      forgetSubscriptions(writtenOn: history, identity)
      return
    }
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
      forgetSubscriptions(writtenOn: history, identity)
      return
    }
    // What was written before the device showed that it is one counts as well.
    guard var next = kept, next.take(history, history.presumedDevice) else {
      subscriptions[identity] = nil
      return
    }
    if subscriptions[identity] != nil || subscriptions.count < Self.limit { subscriptions[identity] = next }
  }

  /// What was written on a link that does not show its encryption may have been kept all the same.
  ///
  /// - Parameter identity: that of its peer; nil where it may be any.
  private mutating func forgetSubscriptions(writtenOn history: LinkHistory, _ identity: DeviceAddress?) {
    if subscriptions.isEmpty { return }
    let hasWritten = history.handles.contains {
      $0.writes > 0 && ($0.role == .subscription || $0.role == .unknown)
    }
    guard hasWritten else { return }
    if let identity { subscriptions[identity] = nil } else { subscriptions.removeAll() }
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

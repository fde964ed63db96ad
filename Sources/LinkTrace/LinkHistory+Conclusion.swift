import BluetoothWire

extension LinkHistory {
  /// Resolves names as far as they are known now and derives procedures, subscriptions and the sensor's side.
  mutating func conclude(with memory: TraceMemory) {
    if handles.contains(where: { $0.role == .unknown }) { recall(memory) }
    voidChangedHandles(memory)
    if handles.contains(where: { $0.role == .unknown }) { NameInference.infer(&self) }
    sensor = sensorSide()
    recallDevice(memory)
    recallBond(memory)
    SubscriptionReader.read(self, into: &subscriptions)
    var storage: [Procedure] = []
    swap(&storage, &procedures)
    var unasked: [UInt32] = []
    var stray = StrayRecords()
    var isUndecided = false
    ProcedureReader.read(
      self,
      into: &storage,
      unasked: &unasked,
      stray: &stray,
      hasUndecidedResult: &isUndecided
    )
    hasUndecidedResult = isUndecided
    procedures = storage
    strayRecords = stray
    unaskedResults = unasked
  }

  /// Which side is a health device: as the link itself shows, or as another one of the same device does.
  private mutating func recallDevice(_ memory: TraceMemory) {
    let remote = HealthSigns(self, of: .remote)
    // Where the host has connected to another device, what is remembered of its own table tells nothing of the link.
    let local = peripheral == .remote && !servesHere ? [] : HealthSigns(self, of: .local)
    let knownRemote = peripheral == .remote ? peerIdentity.map { memory.signs(of: $0) } ?? [] : []
    let knownLocal = peripheral == .local && !localOffersOthersOnly ? memory.signs(ofHost: adapter) : []
    deviceSide =
      if let sensor {
        sensor
      } else if localOffersHealth {
        .local
      } else if !remote.isEmpty {
        .remote
      } else if !local.isEmpty {
        .local
      } else if !knownRemote.isEmpty {
        .remote
      } else {
        knownLocal.isEmpty ? nil : .local
      }
    guard let deviceSide else {
      isGlucoseDevice = false
      return
    }
    let signs = deviceSide == .remote ? remote.union(knownRemote) : local.union(knownLocal)
    isGlucoseDevice = signs.contains(.glucose)
    if signs.contains(.records) { sensor = deviceSide }
  }

  /// True where the peer uses the host's own table on this link.
  private var servesHere: Bool {
    handles.contains { $0.server == .local && $0.role != .unknown }
      || local.attributes.contains { $0.provenance == .discovered }
  }

  /// What the bond with the peer keeps from link to link.
  private mutating func recallBond(_ memory: TraceMemory) {
    isHeldToTable = false
    storedSubscriptions = nil
    guard let peerIdentity else { return }
    let known = memory.storedSubscriptions(of: peerIdentity)
    let isHeld = memory.holdsNames(of: peerIdentity)
    guard isHeld || known != nil else { return }
    let security = DeviceSecurity(self, sensor: .remote)
    guard security.pairingFrame == 0 && security.refusalFrame == 0 else { return }
    isHeldToTable = isHeld
    if security.usedStoredKey { storedSubscriptions = known }
  }

  /// Names handles from what other links and the user have told.
  private mutating func recall(_ memory: TraceMemory) {
    // A link met in its middle has no address: what the user gave for one device alone can only be meant for it.
    let isForOne = peerIdentity == nil && Set(memory.supplied.compactMap { $0.device?.value }).count == 1
    for given in memory.supplied where given.device == nil || given.device == peerIdentity || isForOne {
      remote.merge(given.database, as: .supplied)
    }
    if let peerIdentity, let known = memory.databases[peerIdentity],
      known.hash == nil || remote.hash == nil || known.hash == remote.hash
    {
      remote.recall(known)
    }
    if let known = memory.localDatabases[adapter] { local.recall(known) }
    for slot in handles.indices where handles[slot].role == .unknown {
      let known = handles[slot].server == .local ? local[handles[slot].handle] : remote[handles[slot].handle]
      guard let known else { continue }
      handles[slot].role = known.kind.isService ? .other : AttributeRole(known.type)
      handles[slot].provenance = known.provenance
    }
  }

  /// The side that holds the records: the one with the control point or the record characteristics.
  private func sensorSide() -> Side? {
    var best: (side: Side, provenance: Provenance)?
    for traffic in handles where traffic.role.isControlPoint || traffic.role.isRecord || traffic.role == .glucoseFeature
    {
      if best.map({ $0.provenance < traffic.provenance }) ?? true { best = (traffic.server, traffic.provenance) }
    }
    if let best { return best.side }
    for side in [Side.remote, .local] where side == .remote || peripheral != .remote || servesHere {
      let known = database(side)
      if known.value(0x2A52) != nil || known.value(0x2A18) != nil || known.value(0x2B27) != nil { return side }
    }
    return nil
  }
}

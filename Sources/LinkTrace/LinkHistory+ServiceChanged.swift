import BluetoothWire
import HealthProfiles

/// What a server tells of changes of its table (Core Vol 3 Part G 7.1).
extension LinkHistory {
  /// True where one side indicated Service Changed, whatever was discovered afterwards.
  func indicatesChange(_ side: Side) -> Bool { changeSlot(side) != nil }

  private func changeSlot(_ side: Side) -> Int? {
    let type = BluetoothUUID(0x2A05)
    return handles.firstIndex {
      $0.server == side && $0.indications > 0 && database(side)[$0.handle]?.type == type
    }
  }

  /// The handles a Service Changed indication of one side has declared void, or nil (Core Vol 3 Part G 7.1).
  func changedRange(_ side: Side) -> ClosedRange<UInt16>? {
    guard let slot = changeSlot(side) else { return nil }
    // What is discovered after the indication is valid again.
    var lastChange: (index: Int, range: ClosedRange<UInt16>)?
    for (index, pdu) in pdus.enumerated() where pdu.opcode == .indication && Int(pdu.attribute) == slot {
      if let changed = handlesNamed(by: pdu) { lastChange = (index, changed) }
    }
    guard let lastChange else { return nil }
    let isRediscovered = pdus[lastChange.index...].contains {
      guard $0.opcode == .readByTypeResponse, $0.server == side, $0.partner != AttributePDU.none else { return false }
      let asked = value(pdus[Int($0.partner)])
      return asked.byteCount == 4 && asked.u16(at: 2) == 0x2803
    }
    return isRediscovered ? nil : lastChange.range
  }

  /// Takes the names from what is sent to and from the handles of a range behind the Service Changed indication that
  /// covers them, up to their next discovery: what is known of them holds no more.
  ///
  /// Order is that of the server's own direction: a request belongs to where its answer stands.
  mutating func voidChangedHandles(_ memory: TraceMemory) {
    tableChanges.removeAll()
    for side in [Side.local, .remote] {
      guard let slot = changeSlot(side) else { continue }
      findChanges(side, slot, keptHash(side, memory))
      if tableChanges.contains(where: { $0.server == side }) { voidHandles(side, except: slot) }
    }
  }

  /// The hash of the table that the names are of, where an earlier link or the server itself has told it.
  private func keptHash(_ side: Side, _ memory: TraceMemory) -> UInt128? {
    side == .local ? memory.localDatabases[adapter]?.hash : peerIdentity.flatMap { memory.databases[$0]?.hash }
  }

  private mutating func findChanges(_ side: Side, _ slot: Int, _ keptHash: UInt128?) {
    let isSameTable = keptHash != nil && database(side).hash == keptHash
    for index in pdus.indices where pdus[index].server == side {
      let pdu = pdus[index]
      if pdu.opcode == .indication && Int(pdu.attribute) == slot {
        guard tableChanges.count < Self.changeLimit, let changed = handlesNamed(by: pdu) else { continue }
        tableChanges.append(TableChange(place: UInt32(index), server: side, handles: changed))
      } else if pdu.opcode == .readByTypeResponse, !tableChanges.isEmpty, let asked = askedType(pdu),
        asked == 0x2803 || (asked == 0x2B2A && isSameTable)
      {
        for change in 0..<tableChanges.count {
          let isOpen = tableChanges[change].server == side && tableChanges[change].end == .max
          if isOpen { tableChanges[change].end = UInt32(index) }
        }
      }
    }
  }

  /// The range that a Service Changed indication names; nil where it names none.
  private func handlesNamed(by indication: AttributePDU) -> ClosedRange<UInt16>? {
    let value = value(indication)
    guard value.byteCount >= 4, value.u16(at: 0) <= value.u16(at: 2) else { return nil }
    return value.u16(at: 0)...value.u16(at: 2)
  }

  /// More than a server indicates of one firmware.
  private static let changeLimit = 64

  /// The type a Read By Type Response tells of.
  private func askedType(_ response: AttributePDU) -> UInt16? {
    guard response.partner != AttributePDU.none else { return nil }
    let asked = value(pdus[Int(response.partner)])
    return asked.byteCount == 4 ? asked.u16(at: 2) : nil
  }

  private mutating func voidHandles(_ side: Side, except slot: Int) {
    let changes = tableChanges.filter { $0.server == side }
    guard let first = changes.first else { return }
    var places: [UInt16: UInt16] = [:]
    for index in Int(first.place)..<pdus.count where pdus[index].server == side {
      let pdu = pdus[index]
      guard pdu.attribute != .max, Int(pdu.attribute) != slot else { continue }
      switch pdu.opcode.role {
      case .request where pdu.partner != AttributePDU.none: continue
      case .confirmation:
        // An indication from before the change is confirmed as what it was.
        if pdu.partner != AttributePDU.none { pdus[index].attribute = pdus[Int(pdu.partner)].attribute }
        continue
      default: break
      }
      guard changes.contains(where: { $0.covers(pdu.handle, at: UInt32(index)) }) else { continue }
      var place = places[pdu.attribute]
      if place == nil {
        place = voidPlace(for: pdu)
        places[pdu.attribute] = place
      }
      guard let place else { continue }
      move(index, to: place)
      if pdu.opcode.role == .response && pdu.partner != AttributePDU.none { move(Int(pdu.partner), to: place) }
    }
  }

  /// A new entry for the traffic of a handle of which nothing is known any more.
  private mutating func voidPlace(for pdu: AttributePDU) -> UInt16 {
    var traffic = HandleTraffic(handle: pdu.handle, server: pdu.server, frame: pdu.frame)
    traffic.isVoid = true
    handles.append(traffic)
    return UInt16(handles.count - 1)
  }

  private mutating func move(_ index: Int, to place: UInt16) {
    let pdu = pdus[index]
    let old = Int(pdu.attribute)
    let new = Int(place)
    pdus[index].attribute = place
    handles[new].firstFrame = min(handles[new].firstFrame, pdu.frame)
    handles[new].lastFrame = max(handles[new].lastFrame, pdu.frame)
    switch pdu.opcode.role {
    case .notification:
      Self.shift(&handles, old, new, \.notifications)
      if GlucoseMeasurement.looksLikeMeasurement(value(pdu)) { handles[new].measurementShapes &+= 1 }
    case .indication: Self.shift(&handles, old, new, \.indications)
    case .request, .command:
      let isRead = pdu.opcode == .readRequest || pdu.opcode == .readBlobRequest
      Self.shift(&handles, old, new, isRead ? \.reads : \.writes)
    default: return
    }
    Self.shift(&handles, old, new, \.total)
  }

  private static func shift(
    _ handles: inout [HandleTraffic],
    _ old: Int,
    _ new: Int,
    _ count: WritableKeyPath<HandleTraffic, UInt32>
  ) {
    if handles[old][keyPath: count] > 0 { handles[old][keyPath: count] -= 1 }
    handles[new][keyPath: count] &+= 1
  }

  /// True where something was written to a handle that its server had declared void, and nothing tells what it is now: it
  /// may be a request to the control point.
  public var hasVoidWrites: Bool { handles.contains { $0.isVoid && $0.writes > 0 && $0.role == .unknown } }

  /// True where the server told of another table around a handle behind a place: what began before may have no end that
  /// is seen.
  func tableChanged(_ handle: UInt16, _ server: Side, after place: UInt32) -> Bool {
    tableChanges.contains { $0.server == server && $0.handles.contains(handle) && $0.place > place }
  }
}

import BluetoothWire

/// Finds the writes to Client Characteristic Configuration descriptors in a link's PDUs.
enum SubscriptionReader {
  static func read(_ history: borrowing LinkHistory, into subscriptions: inout [Subscription]) {
    subscriptions.removeAll(keepingCapacity: true)
    let places = places(history)
    for index in history.pdus.indices where history.pdus[index].opcode.writesValue {
      let pdu = history.pdus[index]
      guard pdu.attribute != .max else { continue }
      let traffic = history.handles[Int(pdu.attribute)]
      // What a handle is that the server has declared void is not known.
      guard traffic.role == .subscription || traffic.role == .unknown, !traffic.isVoid else { continue }
      if let found = subscription(UInt32(index), pdu, traffic, history, places) { subscriptions.append(found) }
    }
  }

  /// Where the handles stand, for links that use too many to look through them for each write.
  private static func places(_ history: borrowing LinkHistory) -> HandleIndex? {
    guard history.handles.count > 64 else { return nil }
    var places = HandleIndex()
    for slot in history.handles.indices {
      places.insert(HandleIndex.key(history.handles[slot].handle, history.handles[slot].server), slot: slot)
    }
    return places
  }

  private static func use(
    of handle: UInt16,
    _ server: Side,
    _ history: borrowing LinkHistory,
    _ places: HandleIndex?
  ) -> HandleTraffic? {
    if let places {
      guard let slot = places.slot(HandleIndex.key(handle, server)) else { return nil }
      return history.handles[slot]
    }
    return history.handles.first { $0.server == server && $0.handle == handle }
  }

  private static func subscription(
    _ index: UInt32,
    _ pdu: AttributePDU,
    _ traffic: HandleTraffic,
    _ history: borrowing LinkHistory,
    _ places: HandleIndex?
  ) -> Subscription? {
    let isWhole = pdu.valueCount == 2 && !pdu.isClipped
    guard isWhole || traffic.role == .subscription else { return nil }
    let octets = history.value(pdu)
    let value = octets.byteCount >= 2 ? octets.u16(at: 0) : octets.byteCount == 1 ? UInt16(octets.u8(at: 0)) : 0
    let database = traffic.server == .local ? history.local : history.remote
    var characteristic = database.characteristic(ofDescriptor: traffic.handle)?.handle
    let isInferred = traffic.role != .subscription
    if isInferred || characteristic == nil {
      // Without a name: two octets in the range of the descriptor, right behind a value that notifies or indicates, or is
      // known as one of a health profile that can.
      guard value <= 3 else { return nil }
      characteristic = nil
      for distance in 1...2 as ClosedRange<UInt16> where characteristic == nil && traffic.handle > distance {
        if let known = database[traffic.handle - distance], known.kind == .value, known.properties & 0x30 != 0,
          AttributeRole(known.type).isKept, database[traffic.handle] == nil
        {
          characteristic = known.handle
          continue
        }
        guard let near = use(of: traffic.handle - distance, traffic.server, history, places) else { continue }
        let speaks = near.notifications > 0 || near.indications > 0
        if speaks || near.role.isControlPoint || near.role.isRecord { characteristic = near.handle }
      }
      if isInferred && characteristic == nil { return nil }
    }
    var role = AttributeRole.unknown
    if let characteristic {
      role = use(of: characteristic, traffic.server, history, places)?.role ?? .unknown
      if role == .unknown, let known = database[characteristic] { role = AttributeRole(known.type) }
    }
    var error: UInt8 = 0
    var isDoubtful = !isWhole || pdu.partner == AttributePDU.none
    if pdu.partner != AttributePDU.none {
      let answer = history.pdus[Int(pdu.partner)]
      if answer.opcode == .errorResponse {
        // Of prepared writes one is refused, and what became of the others is not defined (Core Vol 3 Part F 3.4.6.3).
        let isOwn = answer.valueCount >= 4 && answer.handle == pdu.handle
        if isOwn { error = history.value(answer).u8(at: 3) } else { isDoubtful = true }
      }
    }
    return Subscription(
      descriptor: traffic.handle,
      characteristic: characteristic,
      server: traffic.server,
      role: role,
      value: value,
      isDoubtful: isDoubtful,
      request: index,
      answer: pdu.partner == AttributePDU.none ? nil : pdu.partner,
      opcode: pdu.opcode,
      error: error,
      isInferred: isInferred
    )
  }
}

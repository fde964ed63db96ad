import BluetoothWire

/// Finds the writes to Client Characteristic Configuration descriptors in a link's PDUs.
enum SubscriptionReader {
  static func read(_ history: borrowing LinkHistory, into subscriptions: inout [Subscription]) {
    subscriptions.removeAll(keepingCapacity: true)
    for index in history.pdus.indices where history.pdus[index].opcode == .writeRequest {
      let pdu = history.pdus[index]
      guard pdu.attribute != .max else { continue }
      let traffic = history.handles[Int(pdu.attribute)]
      guard traffic.role == .subscription || traffic.role == .unknown else { continue }
      if let found = subscription(UInt32(index), pdu, traffic, history) { subscriptions.append(found) }
    }
  }

  private static func subscription(
    _ index: UInt32, _ pdu: AttributePDU, _ traffic: HandleTraffic, _ history: borrowing LinkHistory
  ) -> Subscription? {
    guard pdu.valueCount == 2 else { return nil }
    let value = history.value(pdu).u16(at: 0)
    let database = traffic.server == .local ? history.local : history.remote
    var characteristic = database.characteristic(ofDescriptor: traffic.handle)?.handle
    let isInferred = traffic.role != .subscription
    if isInferred || characteristic == nil {
      // Without a name: two octets in the range of the descriptor, right behind a value that notifies or indicates.
      guard value <= 3 else { return nil }
      characteristic = history.handles.first {
        $0.server == traffic.server && traffic.handle > $0.handle && traffic.handle - $0.handle <= 2
          && ($0.notifications + $0.indications > 0 || $0.role.isControlPoint || $0.role.isRecord)
      }?.handle
      if isInferred && characteristic == nil { return nil }
    }
    var role = AttributeRole.unknown
    if let characteristic {
      role =
        history.handles.first { $0.server == traffic.server && $0.handle == characteristic }?.role ?? .unknown
      if role == .unknown, let known = database[characteristic] { role = AttributeRole(known.type) }
    }
    var error: UInt8 = 0
    if pdu.partner != AttributePDU.none {
      let answer = history.pdus[Int(pdu.partner)]
      if answer.opcode == .errorResponse && answer.valueCount >= 4 { error = history.value(answer).u8(at: 3) }
    }
    return Subscription(
      descriptor: traffic.handle, characteristic: characteristic, server: traffic.server, role: role, value: value,
      request: index, answer: pdu.partner == AttributePDU.none ? nil : pdu.partner, error: error,
      isInferred: isInferred)
  }
}

import BluetoothWire
import LinkTrace

/// What the sensor's Client Characteristic Configurations held along a link (field rules V-SUB).
///
/// A bond keeps them from link to link (Core Vol 3 Part G 3.3.3.3): what was set before the capture is unknown, not
/// off. Only where the pair was not bonded when the link began they are known to be off.
struct SubscriptionStates: Sendable {
  /// What is known of one configuration at a moment.
  enum State: Sendable { case on, off, unknown }

  private struct Change: Sendable {
    var role: AttributeRole
    /// Index of the Write Request or the Read Response.
    var index: UInt32
    /// Nil where the write was not answered.
    var value: UInt16?
  }

  private var changes: [Change] = []
  private let beginsOff: Bool
  /// True where a configuration was written that belongs to no known characteristic: it may be any of them.
  private var hasUnplaced = false

  init(_ history: borrowing LinkHistory, _ security: borrowing SecurityTimeline) {
    beginsOff =
      history.start != nil && security.pairing != nil && !security.usedStoredKey && security.refusedKey == nil
    guard let sensor = history.sensor else { return }
    for subscription in history.subscriptions where subscription.server == sensor && subscription.error == 0 {
      let bit: UInt16 = subscription.role.isControlPoint ? 2 : 1
      let isOdd = subscription.value != 0 && subscription.value & bit == 0
      // A value that does not suit its place was meant for another one: half a discovery may name it wrongly.
      if subscription.role == .unknown || isOdd { hasUnplaced = true }
      changes.append(
        Change(
          role: subscription.role,
          index: subscription.request,
          value: subscription.answer == nil || isOdd ? nil : subscription.value
        )
      )
    }
    if beginsOff && !hasUnplaced { hasUnplaced = Self.writesUnnamed(history, sensor) }
    if history.handles.contains(where: { $0.role == .subscription && $0.reads > 0 && $0.server == sensor }) {
      addReads(history, sensor)
    }
  }

  /// True where what looks like a configuration was written to a handle that nothing names.
  private static func writesUnnamed(_ history: borrowing LinkHistory, _ sensor: Side) -> Bool {
    let hasWrites = history.handles.contains { $0.role == .unknown && $0.server == sensor && $0.writes > 0 }
    guard hasWrites else { return false }
    return history.pdus.contains { pdu in
      pdu.opcode == .writeRequest && pdu.server == sensor && pdu.valueCount == 2 && history.role(pdu) == .unknown
        && (1...3).contains(history.value(pdu).u16(at: 0))
    }
  }

  private mutating func addReads(_ history: borrowing LinkHistory, _ sensor: Side) {
    let database = history.database(sensor)
    for index in history.pdus.indices where history.pdus[index].opcode == .readResponse {
      let pdu = history.pdus[index]
      guard history.role(pdu) == .subscription, pdu.server == sensor, pdu.valueCount == 2,
        let characteristic = database.characteristic(ofDescriptor: pdu.handle)
      else { continue }
      let value = history.value(pdu).u16(at: 0)
      changes.append(Change(role: AttributeRole(characteristic.type), index: UInt32(index), value: value))
    }
    changes.sort { $0.index < $1.index }
  }

  /// What a characteristic's configuration held when a request was sent.
  func state(of role: AttributeRole, at request: UInt32) -> State {
    var state: State = beginsOff && !hasUnplaced ? .off : .unknown
    let bit: UInt16 = role.isControlPoint ? 2 : 1
    for change in changes where change.index < request && change.role == role {
      state = change.value.map { $0 & bit != 0 ? .on : .off } ?? .unknown
    }
    return state
  }

  /// True where the sensor was told on this link, or shows by what it sends, that it may send values.
  func isOn(_ role: AttributeRole, at request: UInt32, _ history: borrowing LinkHistory) -> Bool {
    switch state(of: role, at: request) {
    case .on: return true
    case .off: return false
    case .unknown:
      return history.handles.contains {
        $0.role == role && $0.server == history.sensor && $0.notifications + $0.indications > 0
      }
    }
  }
}

import BluetoothWire
import HealthProfiles
import LinkTrace

/// What the first pass keeps of a link: where its frames are, who the peer is, and what its handles are.
struct SurveyedLink: Sendable {
  var number: UInt32
  var adapter: UInt16
  var handle: UInt16
  var firstFrame: UInt32
  /// The last frame that may belong to it; `max` where it was up at the end.
  var lastFrame: UInt32
  var peer: DeviceAddress?
  /// The resolvable addresses the peer used.
  var resolvable: [DeviceAddress] = []
  var identity: DeviceAddress?
  var names: [[UInt8]] = []
  /// What each handle's values are, by `key`.
  var natures: [UInt32: ValueNature] = [:]
  /// Days since 1970 of the base times and the user-facing times of its records.
  var recordDays: Set<Int64> = []

  static func key(_ handle: UInt16, _ server: Side) -> UInt32 { UInt32(handle) << 1 | UInt32(server.rawValue) }

  init(_ history: borrowing LinkHistory, _ memory: borrowing TraceMemory) {
    number = history.number
    adapter = history.adapter
    handle = history.handle
    firstFrame = history.firstFrame
    lastFrame = history.lastFrame
    switch history.end.cause {
    case .open, .captureEnded: lastFrame = .max
    case .controllerGone, .superseded: lastFrame = max(lastFrame, history.end.frame &- 1)
    case .disconnected: break
    }
    identity = history.peerIdentity
    peer = history.start?.peer
    if let peer, peer.kind == .resolvablePrivate { resolvable.append(peer) }
    if let used = history.start?.peerResolvable { resolvable.append(used) }
    if let address = identity ?? peer, let name = memory.names[address] { names.append(name) }
    if let name = history.deviceNameRead { names.append(name) }
    for side in [Side.local, .remote] {
      for attribute in history.database(side).attributes {
        natures[Self.key(attribute.handle, side)] = ValueNature(attribute)
      }
    }
    for traffic in history.handles where natures[Self.key(traffic.handle, traffic.server)] == nil {
      natures[Self.key(traffic.handle, traffic.server)] = ValueNature(inferred: traffic.role)
    }
    for subscription in history.subscriptions where subscription.isInferred {
      natures[Self.key(subscription.descriptor, subscription.server)] = .kept
    }
    collectDays(history)
  }

  private mutating func collectDays(_ history: borrowing LinkHistory) {
    for pdu in history.pdus where history.role(pdu) == .glucoseMeasurement {
      let value = history.value(pdu)
      guard value.byteCount >= 10 else { continue }
      let base = DateTime(value, at: 3)
      guard let seconds = base.secondsSince1970 else { continue }
      recordDays.insert(DayArithmetic.day(ofSecond: seconds))
      if value.u8(at: 0) & 1 == 1, value.byteCount >= 12 {
        let offset = Int64(Int16(bitPattern: value.u16(at: 10)))
        recordDays.insert(DayArithmetic.day(ofSecond: seconds + 60 * offset))
      }
      if recordDays.count > 100_000 { return }
    }
  }
}

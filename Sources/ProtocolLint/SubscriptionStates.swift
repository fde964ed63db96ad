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
    /// Index of the write or the Read Response.
    var index: UInt32
    /// Nil where what was written does not tell what the configuration holds.
    var value: UInt16?
    /// Index of what the sensor says of it; a value turned off is off from here on.
    var answer: UInt32
    /// True for a value that turns nothing on where it stands, though it was meant to.
    var isMistaken = false
  }

  /// Of each kind of characteristic and each of that kind, as a sensor may have several, each in a service of its own,
  /// nil where it is not known which one; in ascending order of their indices.
  private var changes: [AttributeRole: [UInt16?: [Change]]] = [:]
  /// What the sensor sent values of on this link.
  private var speaking: Set<AttributeRole> = []
  private let beginsOff: Bool
  /// What the bond had kept when the link began.
  private let stored: StoredSubscriptions?
  /// The first write that belongs to no known characteristic, as an index into the PDUs: from there on any of them may
  /// be on.
  private var firstUnplaced = UInt32.max
  /// The first write of a value that turns nothing on where it stands, as far as what was discovered tells.
  private var firstOdd = UInt32.max
  /// True where a value was written that is known to turn nothing on where it stands.
  private(set) var hasMistakes = false
  /// The first write of which nothing tells whether the sensor holds it: a command, a single octet, one without an answer.
  private var firstDoubtful = UInt32.max
  /// The first that was written by a command.
  private var firstCommand = UInt32.max

  init(
    _ history: borrowing LinkHistory,
    _ security: borrowing SecurityTimeline,
    _ survey: borrowing DiscoverySurvey
  ) {
    // Where the sensor has no key any more, what it kept with the bond is gone as well.
    let isForgotten = security.refusedKey?.status == .keyMissing
    let isUnbonded = !security.usedStoredKey && security.refusedKey == nil
    beginsOff = history.start != nil && security.pairing != nil && (isUnbonded || isForgotten)
    stored = beginsOff ? nil : history.storedSubscriptions
    guard let sensor = history.sensor else { return }
    for traffic in history.handles where traffic.server == sensor && traffic.notifications + traffic.indications > 0 {
      speaking.insert(traffic.role)
    }
    // A descriptor that was not discovered is written like any unnamed handle.
    let descriptors = Set(history.subscriptions.filter { $0.server == sensor }.map(\.descriptor))
    let isUnnamed = history.handles.contains { traffic in
      traffic.role == .unknown && traffic.writes > 0 && traffic.server == sensor
        && !descriptors.contains(traffic.handle)
    }
    if isUnnamed, let write = history.pdus.firstIndex(where: { Self.isUnnamedWrite($0, sensor, history) }) {
      firstUnplaced = UInt32(write)
    }
    for subscription in history.subscriptions where subscription.server == sensor && subscription.error == 0 {
      let bit: UInt16 = subscription.role.isControlPoint ? 2 : 1
      let isOdd = subscription.value != 0 && subscription.value & bit == 0
      // A value that does not suit its place was meant for another one: half a discovery may name it wrongly. Where the place
      // is certain, it is a mistake, and what it turns on is not what is needed.
      let isMistaken = isOdd && Self.isMistaken(subscription, history, survey)
      let isMisplaced = isOdd && !isMistaken
      if subscription.role == .unknown || isMisplaced { firstUnplaced = min(firstUnplaced, subscription.request) }
      if isMistaken { hasMistakes = true }
      if isMisplaced { firstOdd = min(firstOdd, subscription.request) }
      if subscription.isDoubtful { firstDoubtful = min(firstDoubtful, subscription.request) }
      if history.pdus[Int(subscription.request)].opcode.isWriteCommand {
        firstCommand = min(firstCommand, subscription.request)
      }
      changes[subscription.role, default: [:]][subscription.characteristic, default: []].append(
        Change(
          index: subscription.request,
          value: subscription.isDoubtful || isMisplaced ? nil : subscription.value,
          answer: subscription.answer ?? subscription.request,
          isMistaken: isMistaken && !subscription.isDoubtful
        )
      )
    }
    if history.handles.contains(where: { $0.role == .subscription && $0.reads > 0 && $0.server == sensor }) {
      addReads(history, sensor)
    }
  }

  /// True for a value that lacks what the declaration of its characteristic has, where no other characteristic can stand
  /// between the two.
  private static func isMistaken(
    _ subscription: Subscription,
    _ history: borrowing LinkHistory,
    _ survey: borrowing DiscoverySurvey
  ) -> Bool {
    let table = history.database(subscription.server)
    guard !subscription.isInferred, let place = subscription.characteristic, subscription.descriptor > place,
      let characteristic = table[place], characteristic.provenance >= .remembered,
      let descriptor = table[subscription.descriptor], descriptor.provenance >= .remembered,
      descriptor.type == BluetoothUUID(0x2902)
    else { return false }
    let fitting = UInt16(characteristic.properties & 0x30) >> 4
    guard fitting != 0, subscription.value & fitting == 0 else { return false }
    return subscription.descriptor == place + 1 || survey.covers(.characteristics, place...subscription.descriptor)
  }

  /// What looks like a configuration, written to a handle that nothing names.
  private static func isUnnamedWrite(_ pdu: AttributePDU, _ sensor: Side, _ history: borrowing LinkHistory) -> Bool {
    pdu.opcode.writesValue && pdu.server == sensor && pdu.valueCount == 2 && history.role(pdu) == .unknown
      && (1...3).contains(history.value(pdu).u16(at: 0))
  }

  private mutating func addReads(_ history: borrowing LinkHistory, _ sensor: Side) {
    let database = history.database(sensor)
    for index in history.pdus.indices where history.pdus[index].opcode == .readResponse {
      let pdu = history.pdus[index]
      guard history.role(pdu) == .subscription, pdu.server == sensor, pdu.valueCount == 2,
        let characteristic = database.characteristic(ofDescriptor: pdu.handle)
      else { continue }
      let value = history.value(pdu).u16(at: 0)
      changes[AttributeRole(characteristic.type), default: [:]][characteristic.handle, default: []].append(
        Change(index: UInt32(index), value: value, answer: UInt32(index))
      )
    }
    for role in Array(changes.keys) {
      changes[role] = changes[role]?.mapValues { known in known.sorted { $0.index < $1.index } }
    }
  }

  /// What a characteristic's configuration held when a request was sent; unknown where several of a kind differ.
  ///
  /// - Parameter members: the handles among which it stands: those of a service, or of the characteristic alone.
  func state(
    of role: AttributeRole,
    within members: ClosedRange<UInt16> = 0...UInt16.max,
    at request: UInt32
  ) -> State {
    let bit: UInt16 = role.isControlPoint ? 2 : 1
    var found: State?
    for (characteristic, known) in changes[role] ?? [:] where characteristic.map(members.contains) ?? true {
      let next = known.endOfPrefix { $0.index < request }
      guard next > 0 else { continue }
      let state: State = known[next - 1].value.map { $0 & bit != 0 ? .on : .off } ?? .unknown
      if let found, found != state { return .unknown }
      found = state
    }
    return found ?? (request < firstUnplaced ? initial(role, members, bit) : .unknown)
  }

  /// The write of a wrong bit that left a characteristic's configuration as it was when a request was sent; nil where it
  /// was not left so by one.
  func mistake(
    of role: AttributeRole,
    within members: ClosedRange<UInt16>,
    before request: UInt32
  ) -> UInt32? {
    for (characteristic, known) in changes[role] ?? [:] where characteristic.map(members.contains) ?? true {
      let next = known.endOfPrefix { $0.index < request }
      if next > 0 && known[next - 1].isMistaken { return known[next - 1].index }
    }
    return nil
  }

  /// What a configuration held when the link began.
  private func initial(_ role: AttributeRole, _ members: ClosedRange<UInt16>, _ bit: UInt16) -> State {
    if beginsOff { return .off }
    guard let value = stored?.value(of: role, within: members) else { return .unknown }
    return value & bit != 0 ? .on : .off
  }

  /// False where a characteristic's configuration was turned off from one PDU on and before another, or may have been: what
  /// the sensor would have had to send in between it may not have sent (Core Vol 3 Part G 3.3.3.3).
  func staysOn(_ role: AttributeRole, from first: UInt32, until end: UInt32) -> Bool {
    let all = known(role, 0...UInt16.max)
    let bit: UInt16 = role.isControlPoint ? 2 : 1
    let next = all.endOfPrefix { $0.index <= first }
    for change in all[next...] {
      if change.index >= end { break }
      guard let value = change.value, value & bit != 0 else { return false }
    }
    return true
  }

  /// True where a characteristic's configuration is turned on from one PDU on and before another.
  func turnsOn(_ role: AttributeRole, from first: UInt32, until end: UInt32) -> Bool {
    let bit: UInt16 = role.isControlPoint ? 2 : 1
    return known(role, 0...UInt16.max).contains { change in
      change.index > first && change.index < end && (change.value.map { $0 & bit != 0 } ?? false)
    }
  }

  /// True where a value that turns nothing on was written before a request.
  func hasOddWrite(before request: UInt32) -> Bool { firstOdd < request }

  /// True where something was written before a request of which nothing tells whether the sensor holds it.
  func hasDoubtfulWrite(before request: UInt32) -> Bool { firstDoubtful < request }

  /// True where one was written by a command before a request.
  func hasCommand(before request: UInt32) -> Bool { firstCommand < request }

  /// Why a configuration is not known.
  var doubt: String {
    if firstDoubtful != .max || firstOdd != .max {
      return "the subscriptions were written in a way that does not tell whether the sensor holds them"
    }
    return firstUnplaced != .max
      ? "a subscription was written to a handle that nothing names"
      : "the subscriptions were set before this capture or on another link"
  }

  /// The changes of the characteristics of a kind that stand among handles, in ascending order of their indices.
  private func known(_ role: AttributeRole, _ members: ClosedRange<UInt16>) -> [Change] {
    guard let all = changes[role] else { return [] }
    let meant = all.filter { $0.key.map(members.contains) ?? true }
    if meant.count == 1, let only = meant.first { return only.value }
    return meant.flatMap(\.value).sorted { $0.index < $1.index }
  }

  /// The PDUs during which a bit of a characteristic's configuration is known to be off; nil where it is never known at
  /// all.
  ///
  /// - Parameter members: its handle; where its name is only inferred, those of all of its kind.
  func spansOff(
    _ role: AttributeRole,
    within members: ClosedRange<UInt16>,
    bit: UInt16,
    _ history: borrowing LinkHistory
  ) -> [Range<Int>]? {
    var spans: [Range<Int>] = []
    let first = initial(role, members, bit)
    var isKnown = first != .unknown && firstUnplaced == .max
    var offSince: Int? = isKnown && first == .off ? 0 : nil
    for change in known(role, members) {
      let isOff = change.value.map { $0 & bit == 0 } ?? false
      if change.value != nil { isKnown = true }
      if let since = offSince, !isOff {
        if since < Int(change.index) { spans.append(since..<Int(change.index)) }
        offSince = nil
      } else if offSince == nil && isOff {
        offSince = Int(change.answer) + 1
      }
    }
    if let since = offSince, since < history.pdus.count { spans.append(since..<history.pdus.count) }
    return isKnown ? spans : nil
  }

  /// The PDUs between a write that turns a characteristic's values on and its answer: what comes in them may have been
  /// sent before the write had arrived.
  func spansOpening(_ role: AttributeRole, within members: ClosedRange<UInt16>, bit: UInt16) -> [Range<Int>] {
    known(role, members).compactMap { change in
      guard let value = change.value, value & bit != 0, change.index < change.answer else { return nil }
      return Int(change.index)..<Int(change.answer)
    }
  }

  /// True where values of a characteristic were off in between two PDUs, or may have been: what the sensor would have had to
  /// send there it may not have sent.
  func wasOff(
    _ role: AttributeRole,
    within members: ClosedRange<UInt16>,
    between first: UInt32,
    and end: UInt32,
    _ history: borrowing LinkHistory
  ) -> Bool {
    let bit: UInt16 = role.isControlPoint ? 2 : 1
    let isOff = spansOff(role, within: members, bit: bit, history)?.contains { span in
      span.lowerBound < Int(end) && span.upperBound > Int(first)
    }
    return isOff ?? false || known(role, members).contains { $0.value == nil && $0.index > first && $0.index < end }
  }

  /// True where the sensor was told on this link, or shows by what it sends, that it may send values.
  func isOn(
    _ role: AttributeRole,
    within members: ClosedRange<UInt16> = 0...UInt16.max,
    at request: UInt32
  ) -> Bool {
    switch state(of: role, within: members, at: request) {
    case .on: return true
    case .off: return false
    case .unknown: return speaking.contains(role)
    }
  }
}

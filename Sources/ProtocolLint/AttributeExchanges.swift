import BluetoothWire
import LinkTrace

/// What one walk over a link's PDUs tells the rules: answers that lack or come late, errors, PDUs sent out of turn or
/// longer than agreed, discovery, long pauses.
///
/// Each list keeps the first cases of a link; a damaged or hostile capture must not make it grow with the link.
struct AttributeExchanges: Sendable {
  /// Requests without a response, indications without a confirmation.
  private(set) var unanswered: [UInt32] = []
  private(set) var unconfirmed: [UInt32] = []
  /// Requests and indications that were completed after more than 30 s.
  private(set) var answeredLate: [UInt32] = []
  private(set) var confirmedLate: [UInt32] = []
  /// Error Responses to a request that is in the capture.
  private(set) var errors: [UInt32] = []
  /// Requests and indications sent while another one of the same side was open on the bearer.
  private(set) var outOfTurn: [Pair] = []
  /// What a side sent of its own accord more than 30 s after a request or indication that was not completed in time.
  private(set) var afterTimeout: [Pair] = []
  /// True where a request or indication followed one that was not completed in the capture: its answer may have come
  /// after all.
  private(set) var hasDoubtfulTurns = false
  /// Indications after which another one was sent and confirmed: their confirmations may be missing from the capture.
  private(set) var overtaken: [UInt32] = []
  /// Requests of the discovery procedures, and those that exchange the MTU.
  private(set) var discoveries: [UInt32] = []
  private(set) var mtuRequests: [UInt32] = []
  /// Indications that were confirmed after more than a second.
  private(set) var slowlyConfirmed: [UInt32] = []
  /// PDUs between which nothing was sent for more than 6 s.
  private(set) var pauses: [Pair] = []
  /// PDUs of the unenhanced bearer that are longer than the MTU of their moment.
  private(set) var oversized: [Oversized] = []
  /// True where one half of an exchange of the MTU is not in the capture.
  private(set) var hasHalfAnExchange = false
  /// The MTU of the unenhanced bearer at the end of the link; more than any PDU has where it is not known.
  private(set) var agreedMTU = UInt16.max

  /// Two PDUs of which the earlier one makes the later one wrong.
  struct Pair: Sendable {
    var earlier: UInt32
    var later: UInt32
  }

  /// A PDU and the MTU of its moment.
  struct Oversized: Sendable {
    var place: UInt32
    var limit: UInt16
  }

  /// Cases kept of one kind.
  private static let limit = 256
  /// A transaction takes no longer (Core Vol 3 Part F 3.3.3). Microseconds.
  static let timeout = TransactionTimer.length
  /// The same with a second for the logger.
  static let lateTimeout: Int64 = timeout + 1_000_000
  /// From here on a confirmation is slow, a pause long. Microseconds.
  static let slowConfirmation: Int64 = 1_000_000
  static let longPause: Int64 = 6_000_000

  /// The last request and indication of each side on each bearer.
  private var open: [UInt32] = Array(repeating: AttributePDU.none, count: 4)
  /// Of them what is not completed in time; a later one that was completed in the meantime takes its place.
  private var overdue: [UInt32] = Array(repeating: AttributePDU.none, count: 4)
  private var hasOverdue = false
  /// Indications out of turn, until a second confirmation proves that both were sent.
  private var unproven: [Pair] = []

  init(_ history: borrowing LinkHistory) {
    // A link that was up before the capture may have agreed on an MTU.
    if history.start != nil { agreedMTU = Self.smallestMTU }
    let pdus = history.pdus.span
    var before = history.pdus.first?.time ?? 0
    for index in 0..<pdus.count {
      let time = pdus[index].time
      if time &- before > Self.longPause {
        add(Pair(earlier: UInt32(index - 1), later: UInt32(index)), to: &pauses)
      }
      before = time
      if pdus[index].originalLength > agreedMTU && pdus[index].bearer == 0 && oversized.count < Self.limit {
        oversized.append(Oversized(place: UInt32(index), limit: agreedMTU))
      }
      let isUnasked = pdus[index].isNotified
      if isUnasked {
        if hasOverdue { follow(UInt32(index), pdus[index], history) }
        continue
      }
      let pdu = pdus[index]
      if hasOverdue && pdu.opcode.role == .command { follow(UInt32(index), pdu, history) }
      switch pdu.opcodeValue {
      case 0x01:
        if pdu.partner != AttributePDU.none && errors.count < Self.limit { errors.append(UInt32(index)) }
      case 0x1D: indication(UInt32(index), pdu, history)
      case 0x1E: if pdu.partner == AttributePDU.none && !unproven.isEmpty { prove(pdu, history) }
      case 0x03: if pdu.bearer == 0 { agree(pdu, history) }
      case 0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20: request(UInt32(index), pdu, history)
      default: continue
      }
    }
    if !unproven.isEmpty { hasDoubtfulTurns = true }
    open = []
    overdue = []
    unproven = []
  }

  /// Takes what a side sends of its own accord where one of its transactions may have run out.
  private mutating func follow(_ index: UInt32, _ pdu: AttributePDU, _ history: borrowing LinkHistory) {
    for isIndication in [false, true] {
      let before = overdue[place(pdu, isIndication: isIndication)]
      guard before != AttributePDU.none, pdu.time &- history.pdus[Int(before)].time > Self.lateTimeout else { continue }
      add(Pair(earlier: before, later: index), to: &afterTimeout)
      return
    }
  }

  /// Takes a request or indication: true where it comes after the time-out of one of its side.
  private mutating func begin(
    _ index: UInt32,
    _ pdu: AttributePDU,
    isIndication: Bool,
    _ history: borrowing LinkHistory
  ) -> Bool {
    let count = afterTimeout.count
    if hasOverdue { follow(index, pdu, history) }
    let isLate = afterTimeout.count > count
    let place = place(pdu, isIndication: isIndication)
    // A bearer on which a transaction has timed out stays unusable.
    if isLate && overdue[place] != AttributePDU.none { return true }
    // A confirmation that is not there may have been missed by the logger: only a bearer that stays dead counts.
    let isOverdue =
      pdu.partner == AttributePDU.none
      ? !isIndication : history.pdus[Int(pdu.partner)].time &- pdu.time > Self.lateTimeout
    overdue[place] = isOverdue ? index : AttributePDU.none
    if isOverdue { hasOverdue = true }
    return isLate
  }

  /// A confirmation beyond that of the last indication is that of the one before.
  private mutating func prove(_ confirmation: AttributePDU, _ history: borrowing LinkHistory) {
    let place = unproven.firstIndex { pair in
      let later = history.pdus[Int(pair.later)]
      return later.isReceived != confirmation.isReceived && later.bearer == confirmation.bearer
    }
    guard let place else { return }
    let pair = unproven.remove(at: place)
    add(pair, to: &outOfTurn)
  }

  private mutating func indication(_ index: UInt32, _ pdu: AttributePDU, _ history: borrowing LinkHistory) {
    let isUnconfirmed = pdu.partner == AttributePDU.none
    if isUnconfirmed {
      if unconfirmed.count < Self.limit { unconfirmed.append(index) }
    } else if history.pdus[Int(pdu.partner)].time &- pdu.time > Self.slowConfirmation {
      if slowlyConfirmed.count < Self.limit { slowlyConfirmed.append(index) }
      let isLate = history.pdus[Int(pdu.partner)].time &- pdu.time > Self.lateTimeout
      if isLate && confirmedLate.count < Self.limit { confirmedLate.append(index) }
    }
    let isAfterTimeout = begin(index, pdu, isIndication: true, history)
    let place = place(pdu, isIndication: true)
    let before = open[place]
    open[place] = index
    guard before != AttributePDU.none else { return }
    let earlier = history.pdus[Int(before)]
    if earlier.partner == AttributePDU.none || earlier.partner > index {
      if isAfterTimeout { return }
      if pdu.time &- earlier.time > Self.lateTimeout && isUnconfirmed {
        add(Pair(earlier: before, later: index), to: &afterTimeout)
        return
      }
      if isUnconfirmed {
        hasDoubtfulTurns = true
      } else {
        // A side that waits its turn has had its confirmation, and the logger missed it.
        if overtaken.count < Self.limit { overtaken.append(before) }
        add(Pair(earlier: before, later: index), to: &unproven)
      }
    }
  }

  private mutating func request(_ index: UInt32, _ pdu: AttributePDU, _ history: borrowing LinkHistory) {
    // An Execute Write Request stands once for each attribute that it writes.
    if pdu.opcode == .executeWriteRequest, index > 0 {
      let before = history.pdus[Int(index) - 1]
      if before.opcode == pdu.opcode && before.frame == pdu.frame && before.bearer == pdu.bearer { return }
    }
    if pdu.partner == AttributePDU.none {
      if unanswered.count < Self.limit { unanswered.append(index) }
    } else if history.pdus[Int(pdu.partner)].time &- pdu.time > Self.lateTimeout && answeredLate.count < Self.limit {
      answeredLate.append(index)
    }
    let isAfterTimeout = begin(index, pdu, isIndication: false, history)
    switch pdu.opcodeValue {
    case 0x02:
      if mtuRequests.count < Self.limit { mtuRequests.append(index) }
      if pdu.partner == AttributePDU.none && pdu.bearer == 0 { forgetMTU() }
    case 0x04, 0x06, 0x08, 0x10: if discoveries.count < Self.limit { discoveries.append(index) }
    default: break
    }
    let place = place(pdu, isIndication: false)
    let before = open[place]
    open[place] = index
    guard before != AttributePDU.none else { return }
    let earlier = history.pdus[Int(before)]
    if isAfterTimeout { return }
    if earlier.partner == AttributePDU.none {
      hasDoubtfulTurns = true
    } else if earlier.partner > index {
      add(Pair(earlier: before, later: index), to: &outOfTurn)
    }
  }

  /// The smaller of the two sizes holds from the response on (Core Vol 3 Part F 3.4.2.2).
  private mutating func agree(_ response: AttributePDU, _ history: borrowing LinkHistory) {
    guard history.start != nil else { return }
    guard response.partner != AttributePDU.none else {
      forgetMTU()
      return
    }
    let request = history.pdus[Int(response.partner)]
    guard request.valueCount >= 2, response.valueCount >= 2 else {
      agreedMTU = .max
      return
    }
    agreedMTU = max(Self.smallestMTU, min(history.value(request).u16(at: 0), history.value(response).u16(at: 0)))
  }

  /// What was agreed on is not in the capture.
  private mutating func forgetMTU() {
    hasHalfAnExchange = true
    agreedMTU = .max
  }

  /// What every bearer of a low energy link takes (Core Vol 3 Part F 3.2.8).
  static let smallestMTU: UInt16 = 23

  private func add(_ pair: Pair, to list: inout [Pair]) {
    if list.count < Self.limit { list.append(pair) }
  }

  private mutating func place(_ pdu: AttributePDU, isIndication: Bool) -> Int {
    let place = Int(pdu.bearer) * 4 + (pdu.isReceived ? 2 : 0) + (isIndication ? 1 : 0)
    while open.count <= place {
      open.append(AttributePDU.none)
      overdue.append(AttributePDU.none)
    }
    return place
  }
}

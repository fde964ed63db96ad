import BluetoothWire
import LinkTrace

/// What one walk over a link's PDUs tells the rules: answers that lack, errors, PDUs sent out of turn.
///
/// Each list keeps the first cases of a link; a damaged or hostile capture must not make it grow with the link.
struct AttributeExchanges: Sendable {
  /// Requests without a response, indications without a confirmation.
  private(set) var unanswered: [UInt32] = []
  private(set) var unconfirmed: [UInt32] = []
  /// Error Responses to a request that is in the capture.
  private(set) var errors: [UInt32] = []
  /// Requests and indications sent while another one of the same side was open on the bearer.
  private(set) var outOfTurn: [Pair] = []
  /// Requests and indications sent more than 30 s after one that was never completed.
  private(set) var afterTimeout: [Pair] = []
  /// True where a request or indication followed one that was not completed in the capture: its answer may have come
  /// after all.
  private(set) var hasDoubtfulTurns = false

  /// Two PDUs of which the earlier one makes the later one wrong.
  struct Pair: Sendable {
    var earlier: UInt32
    var later: UInt32
  }

  /// Cases kept of one kind.
  private static let limit = 256
  /// A transaction takes no longer (Core Vol 3 Part F 3.3.3). Microseconds.
  static let timeout: Int64 = 30_000_000

  /// The last request and indication of each side on each bearer.
  private var open: [UInt32] = Array(repeating: AttributePDU.none, count: 4)

  init(_ history: borrowing LinkHistory) {
    for index in 0..<history.pdus.count {
      let pdu = history.pdus[index]
      switch pdu.opcodeValue {
      case 0x01:
        if pdu.partner != AttributePDU.none && errors.count < Self.limit { errors.append(UInt32(index)) }
      case 0x1D: indication(UInt32(index), pdu, history)
      case 0x02, 0x04, 0x06, 0x08, 0x0A, 0x0C, 0x0E, 0x10, 0x12, 0x16, 0x18, 0x20: request(UInt32(index), pdu, history)
      default: continue
      }
    }
    open = []
  }

  private mutating func indication(_ index: UInt32, _ pdu: AttributePDU, _ history: borrowing LinkHistory) {
    let isUnconfirmed = pdu.partner == AttributePDU.none
    if isUnconfirmed && unconfirmed.count < Self.limit { unconfirmed.append(index) }
    let place = place(pdu, isIndication: true)
    let before = open[place]
    open[place] = index
    guard before != AttributePDU.none else { return }
    let earlier = history.pdus[Int(before)]
    if earlier.partner == AttributePDU.none || earlier.partner > index {
      if pdu.time &- earlier.time > Self.timeout {
        add(Pair(earlier: before, later: index), to: &afterTimeout)
      } else if !isUnconfirmed {
        // The confirmation that came belongs to one of the two; where none came the logger may have missed them.
        add(Pair(earlier: before, later: index), to: &outOfTurn)
      } else {
        hasDoubtfulTurns = true
      }
    }
  }

  private mutating func request(_ index: UInt32, _ pdu: AttributePDU, _ history: borrowing LinkHistory) {
    if pdu.partner == AttributePDU.none && unanswered.count < Self.limit { unanswered.append(index) }
    let place = place(pdu, isIndication: false)
    let before = open[place]
    open[place] = index
    guard before != AttributePDU.none else { return }
    let earlier = history.pdus[Int(before)]
    if earlier.partner == AttributePDU.none {
      // A request that was never answered may have lost its answer to the logger: only its time-out counts.
      if pdu.time &- earlier.time > Self.timeout {
        add(Pair(earlier: before, later: index), to: &afterTimeout)
      } else {
        hasDoubtfulTurns = true
      }
    } else if earlier.partner > index {
      add(Pair(earlier: before, later: index), to: &outOfTurn)
    }
  }

  private func add(_ pair: Pair, to list: inout [Pair]) {
    if list.count < Self.limit { list.append(pair) }
  }

  private mutating func place(_ pdu: AttributePDU, isIndication: Bool) -> Int {
    let place = Int(pdu.bearer) * 4 + (pdu.isReceived ? 2 : 0) + (isIndication ? 1 : 0)
    while open.count <= place { open.append(AttributePDU.none) }
    return place
  }
}

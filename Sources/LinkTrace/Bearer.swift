/// What is outstanding on one ATT bearer, by the direction of the request or indication.
struct Bearer: Sendable {
  private var sent = Direction()
  private var received = Direction()

  /// What one side has asked and indicated, as indices of PDUs.
  private struct Direction: Sendable {
    /// Requests without an answer: the oldest, and one more for a peer that does not wait.
    var request = AttributePDU.none
    var second = AttributePDU.none
    /// The indication that waits for its confirmation, and how many did so while another one came.
    var indication = AttributePDU.none
    var overtaken: UInt32 = 0
    /// True since the logger lost packets until the next request: the answer to an open request may be among them.
    var isDoubtful = false
    /// The op codes of requests that have timed out, a bit each: their answers may come after all.
    var timedOut: UInt64 = 0
    /// True while a request is open that was sent before the one in front of it had its answer: who went out of turn, or
    /// which answer is missing, shows only when none is open any more.
    var isOutOfTurn = false
    /// Prepare Write Requests that are kept until they are executed or cancelled.
    var prepared: [UInt32] = []
  }

  /// Prepared writes that are kept of one side: no server here queues as many.
  private static let preparedLimit = 256

  /// Stands for a request or indication that was counted and not kept.
  static let uncounted: UInt32 = .max - 1

  private subscript(isReceived: Bool) -> Direction {
    @inline(__always) get { isReceived ? received : sent }
    @inline(__always) set {
      if isReceived { received = newValue } else { sent = newValue }
    }
  }

  /// True while the requests of one direction overlap.
  func isOutOfTurn(received: Bool) -> Bool { self[received].isOutOfTurn }

  /// True while the requests of a direction overlap.
  var isOutOfTurn: Bool { sent.isOutOfTurn || received.isOutOfTurn }

  mutating func open(_ index: UInt32, received: Bool) {
    if self[received].request == AttributePDU.none {
      self[received].request = index
    } else {
      self[received].second = index
      self[received].isOutOfTurn = true
    }
  }

  /// Notes that a request of this op code got no answer in time.
  mutating func timeOut(_ opcode: UInt8, received: Bool) { self[received].timedOut |= Self.bit(opcode) }

  /// True where an answer may be the late one to a request of this op code that has timed out; each is taken once.
  ///
  /// - Parameter opcode: nil for an answer that does not tell it: it may be that to any of them, the lowest is taken.
  mutating func takeTimedOut(_ opcode: UInt8?, received: Bool) -> Bool {
    let timedOut = self[received].timedOut
    let taken = opcode.map(Self.bit) ?? (timedOut & (~timedOut &+ 1))
    guard timedOut & taken != 0 else { return false }
    self[received].timedOut &= ~taken
    return true
  }

  private static func bit(_ opcode: UInt8) -> UInt64 { opcode < 64 ? 1 << UInt64(opcode) : 0 }

  /// Notes that packets were lost.
  mutating func doubt() {
    sent.isDoubtful = true
    received.isDoubtful = true
  }

  /// Tells whether packets were lost since the last request of a direction, and begins anew.
  mutating func takeDoubt(received: Bool) -> Bool {
    defer { self[received].isDoubtful = false }
    return self[received].isDoubtful
  }

  /// The oldest request open in a direction.
  func request(received: Bool) -> UInt32 { self[received].request }

  /// The younger request open in a direction.
  func second(received: Bool) -> UInt32 { self[received].second }

  mutating func close(received: Bool, second: Bool) {
    if !second { self[received].request = self[received].second }
    self[received].second = AttributePDU.none
    if self[received].request == AttributePDU.none { self[received].isOutOfTurn = false }
  }

  /// Notes a Prepare Write Request.
  mutating func prepare(_ index: UInt32, received: Bool) {
    if self[received].prepared.count < Self.preparedLimit { self[received].prepared.append(index) }
  }

  /// Empties the queue of prepared writes, and tells what it held.
  mutating func takePrepared(received: Bool) -> [UInt32] {
    defer { self[received].prepared.removeAll() }
    return self[received].prepared
  }

  /// Notes an indication; one that waits for its confirmation is overtaken.
  mutating func indicate(_ index: UInt32, received: Bool) {
    if self[received].indication != AttributePDU.none { self[received].overtaken &+= 1 }
    self[received].indication = index
  }

  /// The indication of a direction that is confirmed now; none where nothing waits.
  mutating func confirm(received: Bool) -> UInt32 {
    defer { self[received].indication = AttributePDU.none }
    return self[received].indication
  }

  /// True where a confirmation may be that of an indication which was overtaken.
  mutating func takeOvertaken(received: Bool) -> Bool {
    guard self[received].overtaken > 0 else { return false }
    self[received].overtaken &-= 1
    return true
  }
}

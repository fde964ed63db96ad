/// What is outstanding on one ATT bearer: indices of PDUs by the direction of the request or indication.
struct Bearer: Sendable {
  /// Requests the local host sent, received: the oldest, and one more for a peer that does not wait.
  var sentRequest = AttributePDU.none
  var sentSecond = AttributePDU.none
  var receivedRequest = AttributePDU.none
  var receivedSecond = AttributePDU.none
  var sentIndication = AttributePDU.none
  var receivedIndication = AttributePDU.none
  /// True since the logger lost packets until the next request: the answer to an open request may be among them.
  var isSentDoubtful = false
  var isReceivedDoubtful = false
  /// True where a request of a direction has timed out: its answer may come after all.
  private var hasSentTimedOut = false
  private var hasReceivedTimedOut = false

  /// True while a request is open that was sent before the one in front of it had its answer: who went out of turn, or
  /// which answer is missing, shows only when none is open any more.
  private var isSentOutOfTurn = false
  private var isReceivedOutOfTurn = false
  /// Indications that were sent, received, while another one waited for its confirmation.
  private var sentOvertaken: UInt32 = 0
  private var receivedOvertaken: UInt32 = 0

  /// Stands for a request or indication that was counted and not kept.
  static let uncounted: UInt32 = .max - 1

  /// True while the requests of a direction overlap.
  var isOutOfTurn: Bool { isSentOutOfTurn || isReceivedOutOfTurn }

  mutating func open(_ index: UInt32, received: Bool) {
    if request(received: received) != AttributePDU.none {
      if received { isReceivedOutOfTurn = true } else { isSentOutOfTurn = true }
    }
    if received {
      if receivedRequest == AttributePDU.none { receivedRequest = index } else { receivedSecond = index }
    } else {
      if sentRequest == AttributePDU.none { sentRequest = index } else { sentSecond = index }
    }
  }

  /// Notes that a request got no answer in time.
  mutating func timeOut(received: Bool) {
    if received { hasReceivedTimedOut = true } else { hasSentTimedOut = true }
  }

  func hasTimedOut(received: Bool) -> Bool { received ? hasReceivedTimedOut : hasSentTimedOut }

  /// Notes that packets were lost.
  mutating func doubt() {
    isSentDoubtful = true
    isReceivedDoubtful = true
  }

  /// Tells whether packets were lost since the last request of a direction, and begins anew.
  mutating func takeDoubt(received: Bool) -> Bool {
    let isDoubtful = received ? isReceivedDoubtful : isSentDoubtful
    if received { isReceivedDoubtful = false } else { isSentDoubtful = false }
    return isDoubtful
  }

  /// The oldest request open in a direction.
  func request(received: Bool) -> UInt32 { received ? receivedRequest : sentRequest }

  /// The younger request open in a direction.
  func second(received: Bool) -> UInt32 { received ? receivedSecond : sentSecond }

  mutating func close(received: Bool, second: Bool) {
    if received {
      if !second { receivedRequest = receivedSecond }
      receivedSecond = AttributePDU.none
    } else {
      if !second { sentRequest = sentSecond }
      sentSecond = AttributePDU.none
    }
    if request(received: received) == AttributePDU.none {
      if received { isReceivedOutOfTurn = false } else { isSentOutOfTurn = false }
    }
  }

  /// Notes an indication; one that waits for its confirmation is overtaken.
  mutating func indicate(_ index: UInt32, received: Bool) {
    if received {
      if receivedIndication != AttributePDU.none { receivedOvertaken &+= 1 }
      receivedIndication = index
    } else {
      if sentIndication != AttributePDU.none { sentOvertaken &+= 1 }
      sentIndication = index
    }
  }

  /// True where a confirmation may be that of an indication which was overtaken.
  mutating func takeOvertaken(received: Bool) -> Bool {
    let count = received ? receivedOvertaken : sentOvertaken
    guard count > 0 else { return false }
    if received { receivedOvertaken &-= 1 } else { sentOvertaken &-= 1 }
    return true
  }
}

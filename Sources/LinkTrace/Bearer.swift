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

  /// Stands for a request or indication that was counted and not kept.
  static let uncounted: UInt32 = .max - 1

  mutating func open(_ index: UInt32, received: Bool) {
    if received {
      if receivedRequest == AttributePDU.none { receivedRequest = index } else { receivedSecond = index }
    } else {
      if sentRequest == AttributePDU.none { sentRequest = index } else { sentSecond = index }
    }
  }

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
  }
}

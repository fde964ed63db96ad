import BluetoothWire

/// A continuation fragment that is held until it shows whose it is.
struct HeldFragment: Sendable {
  var payload: [UInt8]
  var dataLength: Int
  var frame: UInt32
  var time: Int64
}

extension OpenLink {
  /// Takes a continuation of a file without directions while the PDUs of both sides are open.
  mutating func undirected(_ payload: RawSpan, dataLength: Int, frame: UInt32, time: Int64) {
    guard let lackingSent = sent.lacking, let lackingReceived = received.lacking else {
      return giveUpBoth(frame, time)
    }
    if undecided.isEmpty,
      let side = UndecidedFragments.side(of: dataLength, sent: lackingSent, received: lackingReceived)
    {
      return fragment(
        payload,
        boundary: 1,
        dataLength: dataLength,
        received: side == .remote,
        frame: frame,
        time: time
      )
    }
    guard dataLength <= max(lackingSent, lackingReceived), undecided.append(dataLength) else {
      return giveUpBoth(frame, time)
    }
    touch(frame, time)
    held.append(HeldFragment(payload: payload.copied(), dataLength: dataLength, frame: frame, time: time))
    if undecided.total >= lackingSent + lackingReceived { decide(complete: nil, frame, time) }
  }

  /// Shares out what is held; without a way that is the only one it is noted, and both PDUs are given up.
  ///
  /// - Parameter complete: the side that begins another PDU; nil where those of both are over.
  mutating func decide(complete: Side?, _ frame: UInt32, _ time: Int64) {
    guard let lackingSent = sent.lacking, let lackingReceived = received.lacking else {
      return giveUpBoth(frame, time)
    }
    let ways = undecided.ways(sent: lackingSent, received: lackingReceived, complete: complete)
    guard ways.count == 1, let sides = ways.first else {
      let rest = lackingSent + lackingReceived - undecided.total
      giveUpBoth(frame, time)
      // Whatever came, the rest of the PDU that is not over is known: it must not be taken for that of another one.
      if ways.count > 1 && complete == .local { received.skipping = rest }
      if ways.count > 1 && complete == .remote { sent.skipping = rest }
      return
    }
    var fragments: [HeldFragment] = []
    swap(&fragments, &held)
    undecided.removeAll()
    let last = (history.lastFrame, history.lastTime)
    for (side, held) in zip(sides, fragments) {
      let payload = unsafe held.payload.span.bytes
      fragment(
        payload,
        boundary: 1,
        dataLength: held.dataLength,
        received: side == .remote,
        frame: held.frame,
        time: held.time
      )
    }
    (history.lastFrame, history.lastTime) = last
  }

  /// Whichever side a continuation belongs to, neither PDU can be put together any more.
  private mutating func giveUpBoth(_ frame: UInt32, _ time: Int64) {
    let first = held.first
    broken(4, true, first?.frame ?? frame, first?.time ?? time)
    held.removeAll()
    undecided.removeAll()
    sent.giveUp()
    received.giveUp()
  }

  /// Notes what has not shown whose it is when the link ends.
  mutating func settleFragments() {
    if let first = held.first { giveUpBoth(first.frame, first.time) }
  }
}

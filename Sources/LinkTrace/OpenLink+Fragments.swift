import BluetoothWire

extension OpenLink {
  /// Takes one ACL fragment: `payload` is what follows the four octets of the ACL header.
  ///
  /// - Parameters:
  ///   - boundary: the packet-boundary flag; 1 is a continuation (Core Vol 4 Part E 5.4.2).
  ///   - dataLength: what the ACL header says the fragment has, `payload` may hold less where it was cut.
  mutating func fragment(
    _ payload: RawSpan,
    boundary: UInt16,
    dataLength: Int,
    received isReceived: Bool,
    frame: UInt32,
    time: Int64
  ) {
    touch(frame, time)
    if !isReceived { history.counts.sentFragments += 1 }
    if boundary == 1 {
      continuation(payload, dataLength: dataLength, received: isReceived, frame: frame, time: time)
      return
    }
    if !held.isEmpty { decide(complete: isReceived ? .remote : .local, frame, time) }
    let isOpen = isReceived ? received.expected > 0 : sent.expected > 0
    if isOpen { broken(2, isReceived, frame, time) }
    if isReceived {
      received.expected = 0
      received.skipping = 0
      received.hasStarted = true
    } else {
      sent.expected = 0
      sent.skipping = 0
      sent.hasStarted = true
    }
    guard payload.byteCount >= 4 else {
      if payload.byteCount < dataLength {
        history.counts.emptiedPDUs += 1
        // How long the PDU was is cut as well: what follows it belongs to it until the next start.
        if isReceived { received.skipping = .max } else { sent.skipping = .max }
      } else {
        hold(payload, expected: .max, received: isReceived)
      }
      return
    }
    let total = 4 + Int(payload.u16(at: 0))
    if payload.byteCount >= total {
      if payload.byteCount > total { broken(3, isReceived, frame, time) }
      deliver(
        payload.extracting(4..<total),
        channel: payload.u16(at: 2),
        original: total - 4,
        received: isReceived,
        frame: frame,
        time: time
      )
    } else if payload.byteCount < dataLength {
      clipped(to: payload.byteCount + 4)
      if isReceived {
        received.skipping = max(0, total - dataLength)
      } else {
        sent.skipping = max(0, total - dataLength)
      }
      deliver(
        payload.extracting(4..<payload.byteCount),
        channel: payload.u16(at: 2),
        original: total - 4,
        received: isReceived,
        frame: frame,
        time: time
      )
    } else {
      hold(payload, expected: total, received: isReceived)
    }
  }

  private mutating func hold(_ payload: RawSpan, expected: Int, received isReceived: Bool) {
    if isReceived {
      received.expected = expected
      received.buffer.removeAll(keepingCapacity: true)
      received.buffer.append(octetsOf: payload)
    } else {
      sent.expected = expected
      sent.buffer.removeAll(keepingCapacity: true)
      sent.buffer.append(octetsOf: payload)
    }
  }

  private mutating func continuation(
    _ payload: RawSpan,
    dataLength: Int,
    received isReceived: Bool,
    frame: UInt32,
    time: Int64
  ) {
    var open = Reassembly()
    if isReceived { swap(&open, &received) } else { swap(&open, &sent) }
    defer { if isReceived { swap(&open, &received) } else { swap(&open, &sent) } }
    if open.skipping > 0 {
      open.skipping = max(0, open.skipping - dataLength)
      return
    }
    guard open.expected > 0 else {
      // The first fragment a capture holds may well be the rest of a PDU that began before it.
      if open.hasStarted { broken(1, isReceived, frame, time) }
      return
    }
    let before = open.buffer.count
    open.buffer.append(octetsOf: payload)
    if open.expected == .max, open.buffer.count >= 4 {
      open.expected = 4 + Int(UInt16(open.buffer[0]) | UInt16(open.buffer[1]) << 8)
    }
    let isCut = payload.byteCount < dataLength
    guard open.expected != .max, open.buffer.count >= open.expected || isCut else { return }
    let total = open.expected
    if open.buffer.count > total {
      // Which of the octets belong to it cannot be told (Core Vol 3 Part A 7.2.1).
      broken(3, isReceived, frame, time)
      open.expected = 0
      return
    }
    if isCut {
      clipped(to: payload.byteCount + 4)
      open.skipping = max(0, total - before - dataLength)
    }
    open.expected = 0
    let kept = min(total, open.buffer.count)
    guard kept >= 4 else { return }
    let whole = unsafe open.buffer.span.bytes
    deliver(
      whole.extracting(4..<kept),
      channel: whole.u16(at: 2),
      original: total - 4,
      received: isReceived,
      frame: frame,
      time: time
    )
  }

  private mutating func clipped(to octets: Int) {
    let least = history.counts.clippedTo
    if least == 0 || Int(least) > octets { history.counts.clippedTo = UInt16(clamping: octets) }
  }

  mutating func broken(_ code: UInt8, _ isReceived: Bool, _ frame: UInt32, _ time: Int64) {
    history.counts.brokenFragments += 1
    note(LinkEvent(.reassemblyBroken, frame: frame, time: time, isReceived: isReceived, code: code))
  }

  /// Hands a complete or clipped L2CAP PDU to its channel (Core Vol 3 Part A 2.1).
  @inline(__always)
  private mutating func deliver(
    _ payload: RawSpan,
    channel: UInt16,
    original: Int,
    received isReceived: Bool,
    frame: UInt32,
    time: Int64
  ) {
    switch channel {
    case 0x0004:
      transport = .lowEnergy
      attribute(payload, original: original, received: isReceived, bearer: 0, frame: frame, time: time)
    case 0x0005:
      transport = .lowEnergy
      signalling(payload, received: isReceived, frame: frame, time: time)
    case 0x0006:
      transport = .lowEnergy
      security(payload, received: isReceived, frame: frame, time: time)
    case 0x0040...0x007F where !channels.isEmpty:
      segment(payload, channel: channel, original: original, received: isReceived, frame: frame, time: time)
    default:
      if channel == 0x0001 && transport == .unknown { transport = .classic }
      history.counts.otherChannelPDUs &+= 1
    }
  }
}

import BluetoothWire

extension OpenLink {
  /// Reads a command on the LE signalling channel (Core Vol 3 Part A 4).
  mutating func signalling(_ bytes: RawSpan, received isReceived: Bool, frame: UInt32, time: Int64) {
    guard bytes.byteCount >= 4 else { return }
    let code = bytes.u8(at: 0)
    let identifier = bytes.u8(at: 1)
    let count = min(Int(bytes.u16(at: 2)), bytes.byteCount - 4)
    let data = bytes.extracting(4..<(4 + count))
    switch code {
    case 0x12 where count >= 8:
      note(LinkEvent(.parameterRequest, frame: frame, time: time, isReceived: isReceived, value: data.u64(at: 0)))
    case 0x13 where count >= 2:
      note(
        LinkEvent(
          .parameterResponse,
          frame: frame,
          time: time,
          isReceived: isReceived,
          code: data.u8(at: 0)
        )
      )
    case 0x14 where count >= 10:
      request(identifier, isReceived, data.u16(at: 0), [data.u16(at: 2)], frame, time)
    case 0x15 where count >= 10:
      response(
        identifier,
        isReceived,
        [data.u16(at: 0)],
        code: UInt8(truncatingIfNeeded: data.u16(at: 8)),
        frame,
        time
      )
    case 0x17 where count >= 10:
      request(identifier, isReceived, data.u16(at: 0), channelList(data, from: 8), frame, time)
    case 0x18 where count >= 8:
      response(
        identifier,
        isReceived,
        channelList(data, from: 8),
        code: UInt8(truncatingIfNeeded: data.u16(at: 6)),
        frame,
        time
      )
    case 0x06 where count >= 4:
      let one = data.u16(at: 0)
      let other = data.u16(at: 2)
      channels.removeAll {
        isReceived ? $0.receiveCID == one && $0.sendCID == other : $0.sendCID == one && $0.receiveCID == other
      }
    default: return
    }
  }

  private func channelList(_ data: RawSpan, from offset: Int) -> [UInt16] {
    var list: [UInt16] = []
    var at = offset
    while at + 2 <= data.byteCount && list.count < 5 {
      list.append(data.u16(at: at))
      at += 2
    }
    return list
  }

  private mutating func request(
    _ identifier: UInt8,
    _ isReceived: Bool,
    _ spsm: UInt16,
    _ cids: [UInt16],
    _ frame: UInt32,
    _ time: Int64
  ) {
    note(
      LinkEvent(
        .channelRequest,
        frame: frame,
        time: time,
        isReceived: isReceived,
        value: UInt64(spsm) | UInt64(cids.count) << 16
      )
    )
    if channelRequests.count >= 8 { channelRequests.removeFirst() }
    channelRequests.append(
      ChannelRequest(identifier: identifier, isReceived: isReceived, spsm: spsm, sourceCIDs: cids)
    )
  }

  private mutating func response(
    _ identifier: UInt8,
    _ isReceived: Bool,
    _ cids: [UInt16],
    code: UInt8,
    _ frame: UInt32,
    _ time: Int64
  ) {
    note(LinkEvent(.channelResponse, frame: frame, time: time, isReceived: isReceived, code: code))
    guard
      let position = channelRequests.lastIndex(where: { $0.identifier == identifier && $0.isReceived != isReceived })
    else { return }
    let request = channelRequests.remove(at: position)
    for (source, destination) in zip(request.sourceCIDs, cids) where destination != 0 {
      guard channels.count < 64 else { return }
      var bearer: UInt8 = 0
      if request.spsm == 0x0027, history.counts.enhancedBearers < 60 {
        history.counts.enhancedBearers += 1
        bearer = history.counts.enhancedBearers
        while bearers.count <= Int(bearer) { bearers.append(Bearer()) }
      }
      // The response is received: the local host asked, and the source identifiers are its own.
      let channel = EnhancedChannel(
        receiveCID: isReceived ? source : destination,
        sendCID: isReceived ? destination : source,
        spsm: request.spsm,
        bearer: bearer
      )
      // An identifier that is given out again shows that its channel was closed unseen.
      channels.removeAll { $0.receiveCID == channel.receiveCID || $0.sendCID == channel.sendCID }
      channels.append(channel)
    }
  }

  /// Takes one K-frame of a credit-based channel (Core Vol 3 Part A 3.4).
  mutating func segment(
    _ payload: RawSpan,
    channel: UInt16,
    original: Int,
    received isReceived: Bool,
    frame: UInt32,
    time: Int64
  ) {
    guard
      let position = channels.lastIndex(where: { isReceived ? $0.receiveCID == channel : $0.sendCID == channel })
    else {
      history.counts.otherChannelPDUs &+= 1
      return
    }
    let bearer = channels[position].bearer
    guard bearer > 0 else {
      history.counts.otherChannelPDUs &+= 1
      return
    }
    var segments = EnhancedChannel.Segments()
    if isReceived {
      swap(&segments, &channels[position].received)
    } else {
      swap(&segments, &channels[position].sent)
    }
    defer {
      if isReceived {
        swap(&segments, &channels[position].received)
      } else {
        swap(&segments, &channels[position].sent)
      }
    }
    let isCut = payload.byteCount < original
    if segments.expected < 0 {
      segments.expected = min(0, segments.expected + original)
      return
    }
    if segments.expected == 0 {
      guard payload.byteCount >= 2 else {
        history.counts.emptiedPDUs += 1
        return
      }
      let length = Int(payload.u16(at: 0))
      if payload.byteCount - 2 >= length || isCut {
        let kept = min(length, payload.byteCount - 2)
        attribute(
          payload.extracting(2..<(2 + kept)),
          original: length,
          received: isReceived,
          bearer: bearer,
          frame: frame,
          time: time
        )
        // What a cut first segment announces beyond itself is passed over with its continuations.
        segments.expected = min(0, original - 2 - length)
        return
      }
      segments.expected = length
      segments.buffer.removeAll(keepingCapacity: true)
      segments.buffer.append(octetsOf: payload.extracting(2..<payload.byteCount))
      return
    }
    let before = segments.buffer.count
    segments.buffer.append(octetsOf: payload)
    guard segments.buffer.count >= segments.expected || isCut else { return }
    let length = segments.expected
    if segments.buffer.count > length { broken(3, isReceived, frame, time) }
    segments.expected = isCut ? min(0, before + original - length) : 0
    let kept = min(length, segments.buffer.count)
    unsafe attribute(
      segments.buffer.span.bytes.extracting(0..<kept),
      original: length,
      received: isReceived,
      bearer: bearer,
      frame: frame,
      time: time
    )
  }
}

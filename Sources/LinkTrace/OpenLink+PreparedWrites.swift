import BluetoothWire

/// Prepared writes: what the parts of a queue write is known once it is executed (Core Vol 3 Part F 3.4.6).
extension OpenLink {
  /// Octets of an attribute's value, at most (Core Vol 3 Part F 3.2.9).
  private static let longestValue = 512

  /// Takes an Execute Write Request, once for each attribute of the queue.
  ///
  /// - Returns: false where it writes nothing, or nothing that is known.
  mutating func execute(_ bare: AttributePDU, _ bytes: RawSpan) -> Bool {
    let queue = bearers[Int(bare.bearer)].takePrepared(received: bare.isReceived)
    guard bytes.byteCount >= 2, bytes.u8(at: 1) & 1 != 0 else { return false }
    var slots: [UInt16] = []
    for part in queue where isQueued(part) {
      let slot = history.pdus[Int(part)].attribute
      if !slots.contains(slot) { slots.append(slot) }
    }
    for slot in slots {
      var pdu = bare
      pdu.attribute = slot
      pdu.handle = history.handles[Int(slot)].handle
      var value: [UInt8] = []
      for part in queue where isQueued(part) && history.pdus[Int(part)].attribute == slot {
        join(history.pdus[Int(part)], to: &value, of: &pdu)
      }
      if pdu.isValueDropped { append(pdu) } else { keep(pdu, unsafe value.span.bytes) }
    }
    return !slots.isEmpty
  }

  /// True for a part that was not refused.
  private func isQueued(_ index: UInt32) -> Bool {
    let pdu = history.pdus[Int(index)]
    guard pdu.attribute != .max else { return false }
    return pdu.partner == AttributePDU.none || history.pdus[Int(pdu.partner)].opcode != .errorResponse
  }

  /// Lays a part over the value at its offset; behind a hole the value is not known.
  private func join(_ part: AttributePDU, to value: inout [UInt8], of pdu: inout AttributePDU) {
    if part.isClipped { pdu.flags |= AttributePDU.clippedFlag }
    let octets = history.value(part)
    guard octets.byteCount >= 2, Int(octets.u16(at: 0)) <= value.count else {
      pdu.flags |= AttributePDU.droppedFlag
      return
    }
    let offset = Int(octets.u16(at: 0))
    for place in 2..<octets.byteCount where offset + place - 2 < Self.longestValue {
      if offset + place - 2 < value.count {
        value[offset + place - 2] = octets.u8(at: place)
      } else {
        value.append(octets.u8(at: place))
      }
    }
  }

  /// Takes the answer to an Execute Write Request: a response once for each attribute that is written, an error for the
  /// one that it names.
  mutating func executed(_ request: UInt32, _ bare: AttributePDU, _ answer: RawSpan, _ refused: UInt16?) {
    let first = history.pdus[Int(request)]
    var writes = Int(request)..<(Int(request) + 1)
    while writes.upperBound < history.pdus.count, isSameExecution(history.pdus[writes.upperBound], first) {
      writes = writes.lowerBound..<(writes.upperBound + 1)
    }
    guard bare.opcode == .executeWriteResponse else {
      let named = writes.first { history.pdus[$0].handle == refused } ?? writes.lowerBound
      let place = UInt32(history.pdus.count)
      for write in writes { history.pdus[write].partner = place }
      return keep(answered(bare, UInt32(named)), answer)
    }
    for write in writes {
      history.pdus[write].partner = UInt32(history.pdus.count)
      keep(answered(bare, UInt32(write)), answer)
    }
  }

  private func isSameExecution(_ pdu: AttributePDU, _ first: AttributePDU) -> Bool {
    pdu.opcode == .executeWriteRequest && pdu.frame == first.frame && pdu.bearer == first.bearer
      && pdu.isReceived == first.isReceived && first.attribute != .max
  }

  private func answered(_ bare: AttributePDU, _ request: UInt32) -> AttributePDU {
    var pdu = bare
    pdu.partner = request
    pdu.handle = history.pdus[Int(request)].handle
    pdu.attribute = history.pdus[Int(request)].attribute
    return pdu
  }
}

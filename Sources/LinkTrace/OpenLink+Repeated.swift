import BluetoothWire

extension OpenLink {
  /// Octets before a notification's value: ACL header, L2CAP header, op code and handle.
  private static let headerLength = 11

  /// Takes the packet of which a fetch consists: a whole notification of a handle that has been named before and whose
  /// values are kept.
  ///
  /// - Returns: false, and nothing is changed, for every other packet: it goes through `fragment`, which would make the
  ///   same of this one.
  @inline(__always)
  mutating func repeated(_ packet: RawSpan, received isReceived: Bool, frame: UInt32, time: Int64) -> Bool {
    guard packet.byteCount >= Self.headerLength else { return false }
    // Connection handle and flags, data length, PDU length, channel: eight octets (Core Vol 4 Part E 5.4.2, Vol 3 Part A
    // 3.1), then the op code and the handle (Core Vol 3 Part F 3.4.7.1).
    let header = packet.u64(at: 0)
    let length = packet.byteCount &- 8
    let isWhole = header &>> 32 == 0x0004_0000 | UInt64(truncatingIfNeeded: length)
    guard isWhole, packet.u8(at: 8) == ATTOpcode.notification.rawValue, header &>> 12 & 3 != 1, length <= 0xFFFF
    else { return false }
    let handle = packet.u16(at: 9)
    guard let slot = knownSlot(HandleIndex.key(handle, isReceived ? .remote : .local)),
      history.handles[slot].role.isKept,
      !(isReceived ? received.isOpen : sent.isOpen), history.arena.count < Int(UInt32.max) &- 0xFFFF
    else { return false }
    history.lastFrame = frame
    history.lastTime = time
    if isReceived {
      history.counts.receivedPDUs &+= 1
      received.hasStarted = true
    } else {
      history.counts.sentPDUs &+= 1
      history.counts.sentFragments += 1
      sent.hasStarted = true
    }
    _ = history.handles[slot].notify(frame)
    let pdu = AttributePDU(
      frame: frame,
      partner: AttributePDU.none,
      time: time,
      valueStart: UInt32(truncatingIfNeeded: history.arena.count),
      valueCount: UInt16(truncatingIfNeeded: packet.byteCount &- Self.headerLength),
      originalLength: UInt16(truncatingIfNeeded: length),
      handle: handle,
      attribute: UInt16(truncatingIfNeeded: slot),
      opcodeValue: ATTOpcode.notification.rawValue,
      flags: isReceived ? AttributePDU.receivedFlag : 0,
      bearer: 0
    )
    history.arena.append(packet.extracting(Self.headerLength..<packet.byteCount))
    history.pdus.append(pdu)
    return true
  }
}

import BluetoothWire

extension OpenLink {
  /// Reads an SMP PDU (Core Vol 3 Part H 3.5, 3.6); keys are not stored.
  mutating func security(_ bytes: RawSpan, received isReceived: Bool, frame: UInt32, time: Int64) {
    guard bytes.byteCount >= 1 else {
      // One of which the logger kept nothing: of code 0, which is reserved.
      return note(LinkEvent(.pairingStep, frame: frame, time: time, isReceived: isReceived, code: 0))
    }
    let code = bytes.u8(at: 0)
    let kind: LinkEvent.Kind
    var detail: UInt8 = code
    var value: UInt64 = 0
    switch code {
    case 0x01, 0x02:
      kind = code == 0x01 ? .pairingRequest : .pairingResponse
      value = PairingFeatures.packed(bytes.extracting(1..<bytes.byteCount))
    case 0x05:
      kind = .pairingFailed
      detail = bytes.byteCount > 1 ? bytes.u8(at: 1) : 0
      value = bytes.byteCount > 1 ? 0 : 1
    case 0x0B:
      kind = .securityRequest
      detail = bytes.byteCount > 1 ? bytes.u8(at: 1) : 0
    case 0x06...0x0A:
      kind = .keyDistribution
      if isReceived { identity(code, bytes) }
    default: kind = .pairingStep
    }
    note(LinkEvent(kind, frame: frame, time: time, isReceived: isReceived, code: detail, value: value))
  }

  /// The peer's identity key and address, by which its private addresses are resolved (Core Vol 3 Part H 3.6.4, 3.6.5).
  private mutating func identity(_ code: UInt8, _ bytes: RawSpan) {
    if code == 0x08 && bytes.byteCount >= 17 { identityKey = bytes.extracting(1..<17).copied() }
    if code == 0x09 && bytes.byteCount >= 8 {
      let address = DeviceAddress(bytes, at: 2, isRandom: bytes.u8(at: 1) & 1 == 1)
      identityAddress = address
      history.peerIdentity = address
    }
  }
}

import BluetoothWire

/// What a collector without attributes of its own answers to the requests of the meter (Core Vol 3 Part F 3.4).
enum PeerRequests {
  /// The answer, or nil where none may be given: to commands and to what is no request.
  static func answer(to pdu: RawSpan, maximumTransmissionUnit: UInt16) -> [UInt8]? {
    guard pdu.byteCount >= 1 else { return nil }
    let octet = pdu.u8(at: 0)
    let opcode = ATTOpcode(rawValue: octet)
    guard opcode.role == .request || opcode.role == .unknown else { return nil }
    let handle = pdu.byteCount >= 3 ? pdu.u16(at: 1) : 0
    func refusal(_ error: UInt8, _ handle: UInt16) -> [UInt8] {
      AttributeEncoding.errorResponse(to: octet, handle: handle, error: error)
    }
    switch opcode {
    case .exchangeMTURequest:
      guard pdu.byteCount == 3 else { return refusal(0x04, 0) }
      return AttributeEncoding.exchangeMTUResponse(maximumTransmissionUnit)
    case .findInformationRequest, .findByTypeValueRequest, .readByTypeRequest, .readByGroupTypeRequest:
      guard pdu.byteCount >= 5 else { return refusal(0x04, 0) }
      let isRange = handle > 0 && handle <= pdu.u16(at: 3)
      return refusal(isRange ? ATTError.attributeNotFound.rawValue : 0x01, handle)
    case .readRequest, .readBlobRequest, .writeRequest, .prepareWriteRequest:
      return refusal(pdu.byteCount >= 3 ? 0x01 : 0x04, handle)
    case .readMultipleRequest, .readMultipleVariableRequest:
      return refusal(pdu.byteCount >= 5 ? 0x01 : 0x04, handle)
    default:
      return refusal(0x06, 0)
    }
  }
}

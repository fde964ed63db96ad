import BluetoothWire
import LinkTrace

extension LinkHistory {
  /// The Device Name (0x2A00) that was read from the peer; nil where it was not, or where not all of it is there.
  var deviceNameRead: [UInt8]? {
    let type = BluetoothUUID(0x2A00)
    for pdu in pdus where pdu.isReceived && !pdu.isClipped {
      let value = value(pdu)
      switch pdu.opcode {
      case .readResponse:
        if remote[pdu.handle]?.type == type, value.byteCount > 0 { return value.copied() }
      case .readByTypeResponse where pdu.partner != AttributePDU.none:
        let request = self.value(pdus[Int(pdu.partner)])
        guard request.byteCount == 4, request.u16(at: 2) == 0x2A00, value.byteCount > 3 else { continue }
        return value.extracting(3..<min(value.byteCount, 1 + max(2, Int(value.u8(at: 0))))).copied()
      default: continue
      }
    }
    return nil
  }
}

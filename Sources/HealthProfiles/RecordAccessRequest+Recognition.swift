public import BluetoothWire

extension RecordAccessRequest {
  /// True where octets written to an unnamed handle have the form of a well-formed request; allocates nothing.
  @inlinable public static func looksLikeRequest(_ bytes: RawSpan, dialect: RecordAccessDialect = .health) -> Bool {
    guard bytes.byteCount >= 2 else { return false }
    switch dialect {
    case .health: return looksLikeHealthRequest(bytes)
    case .insulinDelivery: return looksLikeInsulinDeliveryRequest(bytes)
    }
  }

  @inlinable static func looksLikeHealthRequest(_ bytes: RawSpan) -> Bool {
    let count = bytes.byteCount
    let selector = bytes.u8(at: 1)
    switch bytes.u8(at: 0) {
    case 0x03: return selector == 0x00 && count == 2
    case 0x01, 0x02, 0x04: break
    default: return false
    }
    switch selector {
    case 0x01, 0x05, 0x06: return count == 2
    case 0x02, 0x03:
      guard count >= 3 else { return false }
      return bytes.u8(at: 2) == 0x01 ? count == 5 : bytes.u8(at: 2) == 0x02 && count == 10
    case 0x04:
      guard count >= 3 else { return false }
      if bytes.u8(at: 2) == 0x01 { return count == 7 && bytes.u16(at: 3) <= bytes.u16(at: 5) }
      return bytes.u8(at: 2) == 0x02 && count == 17
    default: return false
    }
  }

  @inlinable static func looksLikeInsulinDeliveryRequest(_ bytes: RawSpan) -> Bool {
    let count = bytes.byteCount
    let selector = bytes.u8(at: 1)
    switch bytes.u8(at: 0) {
    case 0x55: return selector == 0x0F && (count == 2 || count == 5)
    case 0x33, 0x3C, 0x5A: break
    default: return false
    }
    let needed: Int
    switch selector {
    case 0x33, 0x66, 0x69:
      // Without a filter octet, what follows can only be the counter and the CRC.
      if count == 2 || count == 5 { return true }
      needed = 3
    case 0x3C, 0x55: needed = 7
    case 0x5A: needed = 11
    default: return false
    }
    guard count == needed || count == needed + 3 else { return false }
    let filter = bytes.u8(at: 2)
    guard filter == 0x0F || filter == 0x33 || filter == 0x3C else { return false }
    return selector != 0x5A || bytes.u32(at: 3) <= bytes.u32(at: 7)
  }
}

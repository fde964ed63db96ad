public import BluetoothWire

extension RecordAccessResponse {
  /// True where octets indicated from an unnamed handle have the form of a response; allocates nothing.
  @inlinable public static func looksLikeResponse(_ bytes: RawSpan, dialect: RecordAccessDialect = .health) -> Bool {
    let count = bytes.byteCount
    guard count >= 4 else { return false }
    switch dialect {
    case .health:
      guard count == 4, bytes.u8(at: 1) == 0x00 else { return false }
      switch bytes.u8(at: 0) {
      case 0x05: return true
      case 0x06:
        let request = bytes.u8(at: 2)
        let value = bytes.u8(at: 3)
        return request >= 0x01 && request <= 0x04 && value >= 0x01 && value <= 0x0A
      default: return false
      }
    case .insulinDelivery:
      guard bytes.u8(at: 1) == 0x0F else { return false }
      switch bytes.u8(at: 0) {
      case 0x66: return count == 6 || count == 9
      case 0x0F:
        guard count == 4 || count == 7 else { return false }
        let value = bytes.u8(at: 3)
        switch bytes.u8(at: 2) {
        case 0x33, 0x3C, 0x55, 0x5A: return value == 0xF0 || value >= 0x02 && value <= 0x0A
        default: return false
        }
      default: return false
      }
    }
  }
}

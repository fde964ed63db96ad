import BluetoothWire

/// Fixed fields of management parameters, whose count is checked once.
struct ManagementFields {
  let octets: [UInt8]

  /// Nil where there are not as many octets as the structure has.
  init?(_ octets: [UInt8], exactly count: Int? = nil, atLeast minimum: Int = 0) {
    guard octets.count >= minimum, count.map({ octets.count == $0 }) ?? true else { return nil }
    self.octets = octets
  }

  // Offsets lie inside what the initialiser has checked; one beyond reads as zero rather than trap.
  func u8(_ offset: Int) -> UInt8 { octets.indices.contains(offset) ? octets[offset] : 0 }
  func u16(_ offset: Int) -> UInt16 { UInt16(u8(offset)) | UInt16(u8(offset + 1)) << 8 }
  func u32(_ offset: Int) -> UInt32 { UInt32(u16(offset)) | UInt32(u16(offset + 2)) << 16 }
  func u64(_ offset: Int) -> UInt64 { UInt64(u32(offset)) | UInt64(u32(offset + 4)) << 32 }
  func part(_ offset: Int, _ count: Int) -> [UInt8] { (offset..<(offset + count)).map(u8) }

  /// Six octets of address and the octet of its type; nil for a BR/EDR address.
  func address(_ offset: Int) -> DeviceAddress? {
    let value = UInt64(u32(offset)) | UInt64(u16(offset + 4)) << 32
    switch u8(offset + 6) {
    case 1: return DeviceAddress(value: value, isRandom: false)
    case 2: return DeviceAddress(value: value, isRandom: true)
    default: return nil
    }
  }
}

extension ByteWriter {
  /// Six octets of address and the octet of its type: 1 public, 2 random.
  mutating func managementAddress(_ address: DeviceAddress) {
    append(address.octets)
    u8(address.isRandom ? 2 : 1)
  }
}

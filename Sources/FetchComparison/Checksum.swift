import BluetoothWire

/// Tells octets apart that no field holds.
enum Checksum {
  /// FNV-1a of the octets from `start` on; never 0.
  static func of(_ octets: RawSpan, from start: Int) -> UInt32 {
    var hash: UInt32 = 0x811C_9DC5
    var place = start
    while place < octets.byteCount {
      hash = (hash ^ UInt32(octets.u8(at: place))) &* 0x0100_0193
      place += 1
    }
    return max(1, hash)
  }
}

public import BluetoothWire
internal import CCrypto

extension DeviceAddress {
  /// The resolvable private address that an identity key gives with 22 random bits (Core Vol 3 Part H 2.2.2, Vol 6 Part B 1.3.2.2).
  ///
  /// - Parameters:
  ///   - key: sixteen octets as they stand on the wire, least significant first; nil is returned for another count.
  ///   - random: the random part; its two top bits of 24 are replaced by the ones of the form.
  public static func resolvable(key: [UInt8], random: UInt32) -> DeviceAddress? {
    guard key.count == 16 else { return nil }
    let part = UInt64(random & 0x3F_FFFF | 0x40_0000)
    var block = [UInt8](repeating: 0, count: 16)
    block[13] = UInt8(truncatingIfNeeded: part >> 16)
    block[14] = UInt8(truncatingIfNeeded: part >> 8)
    block[15] = UInt8(truncatingIfNeeded: part)
    var result = [UInt8](repeating: 0, count: 16)
    guard unsafe racpscope_aes128(Array(key.reversed()), block, &result) == 1 else { return nil }
    let hash = UInt64(result[13]) << 16 | UInt64(result[14]) << 8 | UInt64(result[15])
    return DeviceAddress(value: part << 24 | hash, isRandom: true)
  }
}

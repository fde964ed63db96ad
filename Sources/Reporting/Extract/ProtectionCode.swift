/// The E2E-CRC at the end of a value: polynomial 0x1021 reflected, from 0xFFFF, least significant octet first (CGMS 3.11).
enum ProtectionCode {
  static let octetCount = 2

  static func crc(_ octets: ArraySlice<UInt8>) -> UInt16 {
    var crc: UInt16 = 0xFFFF
    for octet in octets {
      crc ^= UInt16(octet)
      for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x8408 }
    }
    return crc
  }

  /// True where the last two octets are the code of those before them.
  static func fits(_ octets: [UInt8], _ range: Range<Int>) -> Bool {
    guard range.count > octetCount else { return false }
    let end = range.upperBound
    return crc(octets[range.lowerBound..<(end - 2)]) == UInt16(octets[end - 2]) | UInt16(octets[end - 1]) << 8
  }

  static func write(_ octets: inout [UInt8], _ range: Range<Int>) {
    guard range.count > octetCount else { return }
    let code = crc(octets[range.lowerBound..<(range.upperBound - 2)])
    octets[range.upperBound - 2] = UInt8(truncatingIfNeeded: code)
    octets[range.upperBound - 1] = UInt8(truncatingIfNeeded: code >> 8)
  }
}

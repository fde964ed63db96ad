import BluetoothWire

/// Where HCI commands and events hold keys, or what gives a key away (Core Vol 4 Part E 7.1, 7.3, 7.7, 7.8).
///
/// Places are counted from the start of the packet and may go beyond its end.
enum KeyPlaces {
  /// Longer than any HCI command or event.
  private static let end = 260

  static func command(_ bytes: RawSpan) -> Range<Int> {
    guard bytes.byteCount >= 3 else { return 0..<0 }
    switch bytes.u16(at: 0) {
    // LE Encrypt: key and plaintext.
    case 0x2017: return 3..<end
    // LE Enable Encryption, LE Long Term Key Request Reply, LE Add Device To Resolving List.
    case 0x2019, 0x201A: return 5..<end
    case 0x2027: return 10..<end
    // Link Key, PIN Code, User Passkey, Remote OOB Data and Remote OOB Extended Data Request Reply.
    case 0x040B, 0x040D, 0x042E, 0x0430, 0x0445: return 9..<end
    // Write Stored Link Key.
    case 0x0C11: return 4..<end
    // The broadcast code of LE Create BIG and of LE BIG Create Sync.
    case 0x2068: return 18..<34
    case 0x206B: return 7..<23
    default: return 0..<0
    }
  }

  static func event(_ bytes: RawSpan) -> Range<Int> {
    guard bytes.byteCount >= 3 else { return 0..<0 }
    switch bytes.u8(at: 0) {
    case 0x0E: return bytes.byteCount >= 5 ? returned(bytes.u16(at: 3)) : 0..<0
    // Return Link Keys, Link Key Notification, User Passkey Notification.
    case 0x15: return 3..<end
    case 0x18: return 8..<24
    case 0x3B: return 8..<12
    // LE Generate DHKey Complete.
    case 0x3E where bytes.u8(at: 2) == 0x09: return 4..<end
    default: return 0..<0
    }
  }

  /// What Command Complete returns after the status.
  private static func returned(_ opcode: UInt16) -> Range<Int> {
    switch opcode {
    // LE Encrypt computes confirm values and keys; LE Rand gives what they are made of.
    case 0x2017, 0x2018: 6..<end
    // Read Local OOB Data, Read Local OOB Extended Data.
    case 0x0C57, 0x0C7D: 6..<end
    default: 0..<0
    }
  }
}

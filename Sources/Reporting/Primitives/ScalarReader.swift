import BluetoothWire

/// Reads Unicode scalars from octets that may be no UTF-8 at all.
public enum ScalarReader {
  /// The scalar at `place`, which moves behind it; nil for an octet that belongs to none (it alone is passed).
  public static func next(_ octets: RawSpan, _ place: inout Int) -> Unicode.Scalar? {
    let first = octets.u8(at: place)
    place += 1
    if first < 0x80 { return Unicode.Scalar(first) }
    let more: Int
    var value: UInt32
    switch first {
    case 0xC2...0xDF: (more, value) = (1, UInt32(first & 0x1F))
    case 0xE0...0xEF: (more, value) = (2, UInt32(first & 0x0F))
    case 0xF0...0xF4: (more, value) = (3, UInt32(first & 0x07))
    default: return nil
    }
    guard place + more <= octets.byteCount else { return nil }
    for index in 0..<more {
      let octet = octets.u8(at: place + index)
      guard octet & 0xC0 == 0x80 else { return nil }
      value = value << 6 | UInt32(octet & 0x3F)
    }
    // Overlong forms and surrogates are no scalars.
    guard value >= (more == 1 ? 0x80 : more == 2 ? 0x800 : 0x1_0000), let scalar = Unicode.Scalar(value) else {
      return nil
    }
    place += more
    return scalar
  }
}

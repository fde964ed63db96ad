import BluetoothWire
import HealthProfiles

/// The replacements a redaction makes, shared by every layer.
struct RedactionTools {
  let key: RedactionKey
  let shift: DateShift
  var addresses: AddressAliases
  var values: ValueScrambler

  init(_ key: RedactionKey, _ links: [SurveyedLink], _ shift: DateShift) {
    self.key = key
    self.shift = shift
    addresses = AddressAliases(key, links)
    values = ValueScrambler(key)
  }

  /// Other octets, as many, the same for the same.
  func scramble(_ octets: inout [UInt8], _ range: Range<Int>) {
    let range = range.clamped(to: 0..<octets.count)
    guard !range.isEmpty else { return }
    octets.replaceSubrange(range, with: key.stream(.octets, octets[range], count: range.count))
  }

  func zero(_ octets: inout [UInt8], _ range: Range<Int>) {
    for index in range.clamped(to: 0..<octets.count) { octets[index] = 0 }
  }

  /// Other text of the same length: digits for digits, letters for letters, `x` for what is no ASCII.
  func alias(text octets: inout [UInt8], _ range: Range<Int>) {
    let range = range.clamped(to: 0..<octets.count)
    let original = Array(octets[range])
    for attempt in UInt8(0)..<8 {
      let random = key.stream(.text, original + [attempt], count: original.count)
      let other = zip(original, random).map(Self.alias)
      octets.replaceSubrange(range, with: other)
      if other != original { return }
    }
  }

  private static func alias(_ octet: UInt8, _ random: UInt8) -> UInt8 {
    switch octet {
    case 0x30...0x39: 0x30 + random % 10
    case 0x41...0x5A: 0x41 + random % 26
    case 0x61...0x7A: 0x61 + random % 26
    case 0x80...: 0x78
    default: octet
    }
  }

  /// Six octets of an address.
  mutating func alias(address octets: inout [UInt8], at offset: Int, isRandom: Bool) {
    guard offset + 6 <= octets.count else { return zero(&octets, offset..<max(offset, octets.count)) }
    let address = unsafe DeviceAddress(octets.span.bytes, at: offset, isRandom: isRandom)
    octets.replaceSubrange(offset..<(offset + 6), with: addresses.alias(address).octets)
  }

  /// Seven octets of a date; what is left of a cut one is emptied.
  func move(date octets: inout [UInt8], at offset: Int, end: Int) {
    guard offset < end else { return }
    guard offset + DateTime.octetCount <= end else { return zero(&octets, offset..<end) }
    let date = unsafe DateTime(octets.span.bytes, at: offset)
    octets.replaceSubrange(offset..<(offset + DateTime.octetCount), with: shift.moved(date).octets)
  }

  /// Two octets of a medical float; what is left of a cut one is emptied.
  mutating func scramble(float octets: inout [UInt8], at offset: Int, end: Int, _ scale: ValueScrambler.Scale) {
    guard offset < end else { return }
    guard offset + 2 <= end else { return zero(&octets, offset..<end) }
    let word = values.float(UInt16(octets[offset]) | UInt16(octets[offset + 1]) << 8, scale)
    octets[offset] = UInt8(truncatingIfNeeded: word)
    octets[offset + 1] = UInt8(truncatingIfNeeded: word >> 8)
  }
}

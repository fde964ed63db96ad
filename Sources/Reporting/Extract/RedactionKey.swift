/// The secret that a redaction's aliases come from: with another key every alias is another.
///
/// Within one key the same value has the same alias, so files redacted with one key can be compared. Keep no key that is
/// not needed: who has it can test guesses.
public struct RedactionKey: Sendable, Equatable {
  private var low: UInt64
  private var high: UInt64

  /// A key from the system's random numbers: what a file that leaves the house must use.
  public init() {
    var random = SystemRandomNumberGenerator()
    low = random.next()
    high = random.next()
  }

  /// A fixed key, for output that can be repeated.
  public init(_ low: UInt64, _ high: UInt64) {
    self.low = low
    self.high = high
  }

  /// What an alias is made for, so that equal octets of different kinds have different aliases.
  enum Purpose: UInt8 {
    case address, identityKey, resolvable, text, octets, table, days, bond
  }

  /// 64 bits that tell nothing of the octets they come from (SipHash-2-4).
  func word(_ purpose: Purpose, _ octets: some Collection<UInt8>, counter: UInt64 = 0) -> UInt64 {
    var v0 = low ^ 0x736F_6D65_7073_6575
    var v1 = high ^ 0x646F_7261_6E64_6F6D
    var v2 = low ^ 0x6C79_6765_6E65_7261
    var v3 = high ^ 0x7465_6462_7974_6573
    func round() {
      v0 &+= v1
      v1 = (v1 << 13 | v1 >> 51) ^ v0
      v0 = v0 << 32 | v0 >> 32
      v2 &+= v3
      v3 = (v3 << 16 | v3 >> 48) ^ v2
      v0 &+= v3
      v3 = (v3 << 21 | v3 >> 43) ^ v0
      v2 &+= v1
      v1 = (v1 << 17 | v1 >> 47) ^ v2
      v2 = v2 << 32 | v2 >> 32
    }
    func take(_ block: UInt64) {
      v3 ^= block
      round()
      round()
      v0 ^= block
    }
    take(UInt64(purpose.rawValue))
    take(counter)
    var block: UInt64 = 0
    var count: UInt64 = 0
    for octet in octets {
      block |= UInt64(octet) << (8 * (count & 7))
      count += 1
      if count & 7 == 0 {
        take(block)
        block = 0
      }
    }
    take(block | count << 56)
    v2 ^= 0xFF
    for _ in 0..<4 { round() }
    return v0 ^ v1 ^ v2 ^ v3
  }

  /// `count` octets that tell nothing of the octets they come from.
  func stream(_ purpose: Purpose, _ octets: some Collection<UInt8>, count: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count + 8)
    var counter: UInt64 = 0
    while result.count < count {
      counter += 1
      let word = word(purpose, octets, counter: counter)
      for index in 0..<8 { result.append(UInt8(truncatingIfNeeded: word >> (8 * UInt64(index)))) }
    }
    result.removeLast(result.count - count)
    return result
  }
}

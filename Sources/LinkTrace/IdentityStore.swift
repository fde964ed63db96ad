import BluetoothWire
internal import CCrypto

/// The identity keys a capture holds, and the identities they belong to; keys leave it in no form.
public struct IdentityStore: Sendable {
  /// Keys as they stand on the wire, least significant octet first.
  private var keys: [[UInt8]] = []
  private var identities: [DeviceAddress] = []
  /// Addresses resolved before: a phone keeps one for a quarter of an hour.
  private var resolved: [UInt64: DeviceAddress?] = [:]

  /// More keys than any capture here has held; what comes beyond is not learned.
  private static let limit = 256

  public init() {}

  /// How many identities are known.
  public var count: Int { identities.count }

  /// Takes a key of 16 octets and the identity address that came with it.
  mutating func learn(key: [UInt8], identity: DeviceAddress) {
    guard key.count == 16, keys.count < Self.limit else { return }
    // The empty key stands for no key (Core Vol 4 Part E 7.8.38).
    guard key.contains(where: { $0 != 0 }), !keys.contains(key) else { return }
    keys.append(key)
    identities.append(identity)
    resolved.removeAll(keepingCapacity: true)
  }

  /// Takes over the keys of another capture.
  mutating func adopt(_ other: IdentityStore) {
    for (key, identity) in zip(other.keys, other.identities) { learn(key: key, identity: identity) }
  }

  /// The identity behind a resolvable private address (Core Vol 3 Part H 2.2.2); nil where no key fits.
  mutating func identity(of address: DeviceAddress) -> DeviceAddress? {
    guard !keys.isEmpty else { return nil }
    if let known = resolved[address.value] { return known }
    var found: DeviceAddress?
    for (key, identity) in zip(keys, identities) where Self.fits(key, address) {
      found = identity
      break
    }
    if resolved.count > 4096 { resolved.removeAll(keepingCapacity: true) }
    resolved[address.value] = .some(found)
    return found
  }

  private static func fits(_ key: [UInt8], _ address: DeviceAddress) -> Bool {
    let big = Array(key.reversed())
    var block = [UInt8](repeating: 0, count: 16)
    block[13] = UInt8(truncatingIfNeeded: address.value >> 40)
    block[14] = UInt8(truncatingIfNeeded: address.value >> 32)
    block[15] = UInt8(truncatingIfNeeded: address.value >> 24)
    var result = [UInt8](repeating: 0, count: 16)
    guard unsafe racpscope_aes128(big, block, &result) == 1 else { return false }
    let hash = UInt64(result[13]) << 16 | UInt64(result[14]) << 8 | UInt64(result[15])
    return hash == address.value & 0xFF_FFFF
  }
}

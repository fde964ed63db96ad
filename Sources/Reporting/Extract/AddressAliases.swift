import BluetoothWire
import LinkTrace

/// Stands other device addresses in the place of the real ones, of the same kind, the same for the same.
///
/// Resolvable addresses of a device whose identity is known resolve with the key that stands in the place of its own.
struct AddressAliases {
  private let key: RedactionKey
  /// The identity behind a resolvable address, where the capture told it.
  private var identities: [UInt64: DeviceAddress] = [:]
  private var aliases: [DeviceAddress: DeviceAddress] = [:]

  init(_ key: RedactionKey, _ links: [SurveyedLink]) {
    self.key = key
    for link in links {
      guard let identity = link.identity, identity.kind != .resolvablePrivate else { continue }
      for address in link.resolvable where address.kind == .resolvablePrivate { identities[address.value] = identity }
    }
  }

  /// The key that stands in the place of a device's identity key, as it stands on the wire.
  func identityKey(_ identity: DeviceAddress) -> [UInt8] {
    key.stream(.identityKey, identity.octets + [identity.isRandom ? 1 : 0], count: 16)
  }

  mutating func alias(_ address: DeviceAddress) -> DeviceAddress {
    // No address and the broadcast pattern are no one's.
    guard address.value != 0, address.value != 0xFFFF_FFFF_FFFF else { return address }
    if let known = aliases[address] { return known }
    let alias = make(address)
    if aliases.count > 65_536 { aliases.removeAll() }
    aliases[address] = alias
    return alias
  }

  private func make(_ address: DeviceAddress) -> DeviceAddress {
    let source = address.octets + [address.isRandom ? 1 : 0]
    if address.kind == .resolvablePrivate, let identity = identities[address.value] {
      let random = UInt32(truncatingIfNeeded: key.word(.resolvable, source))
      if let resolvable = DeviceAddress.resolvable(key: identityKey(identity), random: random) { return resolvable }
    }
    let word = key.word(.address, source)
    // A public address keeps the bits that say group and local; a random one those that say its kind.
    let kept: UInt64 = address.isRandom ? 0xC000_0000_0000 : 0x0300_0000_0000
    let alias = DeviceAddress(value: word & ~kept | address.value & kept, isRandom: address.isRandom)
    return alias == address ? DeviceAddress(value: alias.value ^ 0x5A_5A5A, isRandom: address.isRandom) : alias
  }
}

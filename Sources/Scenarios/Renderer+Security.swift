import BluetoothWire
import CaptureFiles

extension Renderer {
  mutating func encrypt(_ encryption: Encryption) {
    // Rand and EDIV of a key that Secure Connections made.
    let identifier = [UInt8](repeating: 0, count: 10)
    if localRole == .central {
      order(0x2019, handleOctets + identifier + dummy(0x2A, 16))
    } else {
      emit(.event, HCIEncoding.lowEnergyEvent(0x05, handleOctets + identifier), after: 15_000)
      // A peripheral whose encryption fails is told nothing more: the Encryption Change is the central's.
      guard encryption.status != 0x06 else {
        exchange(0x201B, handleOctets, [0x00] + handleOctets)
        return
      }
      exchange(0x201A, handleOctets + dummy(0x2A, 16), [0x00] + handleOctets)
      guard encryption.status == 0 else { return }
    }
    let change = [encryption.status] + handleOctets + [encryption.status == 0 ? 1 : 0]
    if let keySize = encryption.keySize {
      emit(.event, HCIEncoding.event(0x59, change + [keySize]), after: 45_000)
    } else {
      emit(.event, HCIEncoding.event(0x08, change), after: 45_000)
    }
  }

  mutating func pair(_ pairing: Pairing) {
    let peripheral = central.other
    var authentication: UInt8 = 0x01
    if pairing.method == .passkey { authentication |= 0x04 }
    if pairing.isSecureConnections { authentication |= 0x08 }
    if pairing.beginsWithSecurityRequest { security(peripheral, [0x0B, authentication]) }

    // Keyboard and display against none gives Just Works, against a display Passkey Entry.
    let collectorCapability: UInt8 = 0x04
    let sensorCapability: UInt8 = pairing.method == .passkey ? 0x00 : 0x03
    let sensorKeys: UInt8 = (pairing.isSecureConnections ? 0 : 1) | (pairing.sensorIdentityKey == nil ? 0 : 2)
    let sensorIsInitiator = central == .sensor
    let keys: [UInt8] = sensorIsInitiator ? [sensorKeys, 0] : [0, sensorKeys]
    for party in [central, peripheral] {
      let capability = party == .sensor ? sensorCapability : collectorCapability
      security(party, [party == central ? 0x01 : 0x02, capability, 0x00, authentication, 0x10] + keys)
    }
    if let failure = pairing.failure {
      security(.sensor, [0x05, failure])
      return
    }
    exchangeValues(pairing)
    encrypt(Encryption())
    if !pairing.isSecureConnections {
      security(.sensor, [0x06] + dummy(0x2A, 16))
      security(.sensor, [0x07, 0x34, 0x12, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88])
    }
    if let key = pairing.sensorIdentityKey {
      security(.sensor, [0x08] + key.reversed())
      security(.sensor, [0x09, meter.address.isRandom ? 1 : 0] + meter.address.octets)
    }
  }

  /// Public keys, confirm and random values and checks; twenty rounds for a Secure Connections passkey.
  private mutating func exchangeValues(_ pairing: Pairing) {
    let peripheral = central.other
    guard pairing.isSecureConnections else {
      for code: UInt8 in [0x03, 0x04] {
        security(central, [code] + dummy(code, 16))
        security(peripheral, [code] + dummy(code &+ 0x40, 16))
      }
      return
    }
    security(central, [0x0C] + dummy(0x0C, 64))
    security(peripheral, [0x0C] + dummy(0x4C, 64))
    switch pairing.method {
    case .justWorks:
      security(peripheral, [0x03] + dummy(0x43, 16))
      security(central, [0x04] + dummy(0x04, 16))
      security(peripheral, [0x04] + dummy(0x44, 16))
    case .passkey:
      for round: UInt8 in 0..<20 {
        for code: UInt8 in [0x03, 0x04] {
          security(central, [code] + dummy(code &+ 8 &* round, 16))
          security(peripheral, [code] + dummy(code &+ 8 &* round &+ 0x40, 16))
        }
      }
    }
    security(central, [0x0D] + dummy(0x0D, 16))
    security(peripheral, [0x0D] + dummy(0x4D, 16))
  }

  private mutating func security(_ party: Party, _ octets: [UInt8]) {
    send(party, LogicalLinkEncoding.securityChannel, octets)
  }

  /// Octets that stand where key material would, plain to see as such.
  private func dummy(_ seed: UInt8, _ count: Int) -> [UInt8] {
    (0..<count).map { seed &+ UInt8(truncatingIfNeeded: $0) &* 3 }
  }
}

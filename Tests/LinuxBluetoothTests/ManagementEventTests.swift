import BluetoothWire
import LinuxBluetooth
import Testing

/// Events of the management interface, from their octets.
@Suite struct ManagementEventTests {
  private let meter = ManagementCommandTests.meter
  private let peer: [UInt8] = [0x01, 0x00, 0xFE, 0xCA, 0x0D, 0xF0, 0x02]

  private func event(_ code: UInt16, _ parameters: [UInt8]) -> ManagementEvent {
    ManagementEvent(ManagementPacket(code: code, adapter: 0, parameters: parameters))
  }

  @Test func aPacketIsReadWhole() {
    let packet = ManagementPacket(octets: [0x06, 0x00, 0x01, 0x00, 0x04, 0x00, 0x01, 0x02, 0x00, 0x00])
    #expect(packet == ManagementPacket(code: 6, adapter: 1, parameters: [0x01, 0x02, 0x00, 0x00]))
    #expect(packet.map { ManagementEvent($0) } == .newSettings([.powered, .lowEnergy]))
  }

  @Test func aPacketShorterThanItSaysIsNone() {
    #expect(ManagementPacket(octets: [0x06, 0x00, 0x01, 0x00, 0x04, 0x00, 0x01]) == nil)
    #expect(ManagementPacket(octets: [0x06, 0x00, 0x01]) == nil)
    #expect(ManagementPacket(octets: []) == nil)
  }

  @Test func answersCarryTheirStatus() {
    #expect(event(0x0001, [0x05, 0x00, 0x00, 0x01, 0x02]) == .answer(command: 5, .success, [0x01, 0x02]))
    #expect(event(0x0002, [0x05, 0x00, 0x14]) == .answer(command: 5, .permissionDenied, []))
    #expect(ManagementStatus(rawValue: 0x14).name == "permission denied")
    #expect(ManagementStatus(rawValue: 0x77).name == "status 119")
  }

  @Test func pairingAsks() {
    #expect(
      event(0x000F, peer + [0x01, 0x00, 0x00, 0x00, 0x00]) == .confirmRequest(meter, isHint: true, value: 0)
    )
    #expect(
      event(0x000F, peer + [0x00, 0x40, 0xE2, 0x01, 0x00]) == .confirmRequest(meter, isHint: false, value: 123_456)
    )
    #expect(event(0x0010, peer) == .passkeyRequest(meter))
    #expect(event(0x0017, peer + [0x40, 0xE2, 0x01, 0x00, 0x00]) == .passkeyToShow(meter, 123_456))
    #expect(event(0x0011, peer + [0x05]) == .authenticationFailed(meter, .authenticationFailed))
  }

  @Test func keysComeWithTheirHint() {
    let key = ManagementCommandTests.keyOctets
    #expect(event(0x000A, [0x01] + key) == .newLongTermKey(ManagementCommandTests.key, isToKeep: true))
    #expect(event(0x000A, [0x00] + key) == .newLongTermKey(ManagementCommandTests.key, isToKeep: false))
    let resolvable: [UInt8] = [0x66, 0x55, 0x44, 0x33, 0x22, 0x51]
    let identity = IdentityKey(address: meter, value: Array(0x20...0x2F))
    #expect(
      event(0x0018, [0x01] + resolvable + peer + Array(0x20...0x2F))
        == .newIdentityKey(
          identity,
          resolvable: DeviceAddress(value: 0x5122_3344_5566, isRandom: true),
          isToKeep: true
        )
    )
  }

  @Test func linksComeAndGo() {
    #expect(event(0x000B, peer + [0, 0, 0, 0, 0, 0]) == .connected(meter))
    #expect(event(0x000C, peer + [0x01]) == .disconnected(meter, .timeout))
    #expect(event(0x000C, peer + [0x03]) == .disconnected(meter, .remote))
    #expect(event(0x000C, peer + [0xEE]) == .disconnected(meter, .unspecified))
    #expect(event(0x000D, peer + [0x04]) == .connectFailed(meter, .connectFailed))
    #expect(event(0x0013, [0x06, 0x01]) == .discovering(true))
    #expect(event(0x0016, peer) == .unpaired(meter))
  }

  @Test(arguments: Array(UInt16(0)...0x30))
  func whatIsCutShortIsKeptAsItIs(code: UInt16) {
    let shortest: [UInt16: Int] = [4: 0, 5: 0]
    for count in 0..<2 where count < shortest[code] ?? 2 {
      let packet = ManagementPacket(code: code, adapter: 0, parameters: [UInt8](repeating: 1, count: count))
      #expect(ManagementEvent(packet) == .other(packet))
    }
    // Nothing traps, whatever the length.
    for count in 0..<80 {
      _ = ManagementEvent(ManagementPacket(code: code, adapter: 0, parameters: [UInt8](repeating: 0xFF, count: count)))
    }
  }

  @Test func aClassicDeviceIsNotOurs() {
    let classic = peer.dropLast() + [0x00]
    #expect(
      event(0x0010, Array(classic)) == .other(ManagementPacket(code: 0x10, adapter: 0, parameters: Array(classic)))
    )
  }
}

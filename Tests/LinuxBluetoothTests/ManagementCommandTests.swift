import BluetoothWire
import LinuxBluetooth
import Testing

/// The octets of management commands: `code u16 · adapter u16 · length u16 · parameters`, little-endian.
@Suite struct ManagementCommandTests {
  static let meter = DeviceAddress(value: 0xF00D_CAFE_0001, isRandom: true)
  static let key = LongTermKey(
    address: meter,
    type: 2,
    isCentral: false,
    size: 16,
    diversifier: 0x0102,
    random: 0x0304_0506_0708_090A,
    value: Array(0x10...0x1F)
  )
  static let keyOctets: [UInt8] =
    [0x01, 0x00, 0xFE, 0xCA, 0x0D, 0xF0, 0x02, 0x02, 0x00, 0x10, 0x02, 0x01]
    + [0x0A, 0x09, 0x08, 0x07, 0x06, 0x05, 0x04, 0x03] + Array(0x10...0x1F)

  private func octets(_ command: ManagementCommand, adapter: UInt16 = 1) -> [UInt8] {
    command.packet(adapter: adapter).octets
  }

  @Test func commandsAboutNoAdapterCarryNoIndex() {
    #expect(octets(.readVersion) == [0x01, 0x00, 0xFF, 0xFF, 0x00, 0x00])
    #expect(octets(.readAdapterList) == [0x03, 0x00, 0xFF, 0xFF, 0x00, 0x00])
  }

  @Test func settingsAreOneOctet() {
    #expect(octets(.setPowered(true)) == [0x05, 0x00, 0x01, 0x00, 0x01, 0x00, 0x01])
    #expect(octets(.setBondable(true)) == [0x09, 0x00, 0x01, 0x00, 0x01, 0x00, 0x01])
    #expect(octets(.setSimplePairing(true)) == [0x0B, 0x00, 0x01, 0x00, 0x01, 0x00, 0x01])
    #expect(octets(.setLowEnergy(false)) == [0x0D, 0x00, 0x01, 0x00, 0x01, 0x00, 0x00])
    #expect(octets(.setSecureConnections(true)) == [0x2D, 0x00, 0x01, 0x00, 0x01, 0x00, 0x01])
    #expect(octets(.setInputOutputCapability(.none)) == [0x18, 0x00, 0x01, 0x00, 0x01, 0x00, 0x03])
  }

  @Test func longTermKeysFollowTheirCount() {
    #expect(octets(.loadLongTermKeys([]), adapter: 0) == [0x13, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00])
    let loaded = octets(.loadLongTermKeys([Self.key]), adapter: 0)
    #expect(loaded == [0x13, 0x00, 0x00, 0x00, 0x26, 0x00, 0x01, 0x00] + Self.keyOctets)
  }

  @Test func identityKeysFollowTheirCount() {
    let key = IdentityKey(address: Self.meter, value: Array(0x20...0x2F))
    let expected: [UInt8] =
      [0x30, 0x00, 0x00, 0x00, 0x19, 0x00, 0x01, 0x00] + [0x01, 0x00, 0xFE, 0xCA, 0x0D, 0xF0, 0x02] + Array(0x20...0x2F)
    #expect(octets(.loadIdentityKeys([key]), adapter: 0) == expected)
    #expect(IdentityKey(octets: Array(expected[8...])) == key)
  }

  @Test func aKeyOfTheWrongLengthIsPaddedNotTrapped() {
    var short = Self.key
    short.value = [1, 2]
    #expect(short.octets.count == 36)
    #expect(LongTermKey(octets: Self.keyOctets) == Self.key)
    #expect(LongTermKey(octets: Array(Self.keyOctets.dropLast())) == nil)
  }

  @Test func repliesNameThePeer() {
    let peer: [UInt8] = [0x01, 0x00, 0xFE, 0xCA, 0x0D, 0xF0, 0x02]
    #expect(octets(.confirm(Self.meter, accepts: true)) == [0x1C, 0x00, 0x01, 0x00, 0x07, 0x00] + peer)
    #expect(octets(.confirm(Self.meter, accepts: false)) == [0x1D, 0x00, 0x01, 0x00, 0x07, 0x00] + peer)
    #expect(
      octets(.passkey(Self.meter, 123_456)) == [0x1E, 0x00, 0x01, 0x00, 0x0B, 0x00] + peer + [0x40, 0xE2, 0x01, 0x00]
    )
    #expect(octets(.passkey(Self.meter, nil)) == [0x1F, 0x00, 0x01, 0x00, 0x07, 0x00] + peer)
    #expect(octets(.unpair(Self.meter, disconnects: true)) == [0x1B, 0x00, 0x01, 0x00, 0x08, 0x00] + peer + [0x01])
    #expect(octets(.disconnect(Self.meter)) == [0x14, 0x00, 0x01, 0x00, 0x07, 0x00] + peer)
  }

  @Test func discoveryIsOfLowEnergyOnly() {
    #expect(octets(.startDiscovery) == [0x23, 0x00, 0x01, 0x00, 0x01, 0x00, 0x06])
    #expect(octets(.stopDiscovery) == [0x24, 0x00, 0x01, 0x00, 0x01, 0x00, 0x06])
  }

  @Test func keysAreNeverPrinted() {
    #expect("\(Self.key)" == "key of F0:0D:CA:FE:00:01")
    #expect(String(reflecting: Self.key) == "key of F0:0D:CA:FE:00:01")
    for secret in [Bond(address: Self.meter, longTermKeys: [Self.key]) as Any, Self.key] {
      var dumped = ""
      dump(secret, to: &dumped)
      #expect(!dumped.contains("value: 16") && !dumped.contains("- 16"), "\(dumped)")
    }
  }
}

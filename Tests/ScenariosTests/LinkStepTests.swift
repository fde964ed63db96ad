import BluetoothWire
import CaptureFiles
import HealthProfiles
import Scenarios
import Testing

@Suite struct LinkStepTests {
  private func security(_ pairing: Step, _ rendering: Rendering = Rendering()) -> [Unit] {
    units(Scenario("pairing", [.connect(), pairing]).frames(rendering)).filter { $0.channel == 6 }
  }

  @Test func secureConnectionsJustWorks() {
    let pdus = security(.pair())
    #expect(pdus.map { $0.payload[0] } == [0x0B, 0x01, 0x02, 0x0C, 0x0C, 0x03, 0x04, 0x04, 0x0D, 0x0D])
    #expect(pdus.map(\.isSent) == [false, true, false, true, false, false, true, false, true, false])
    #expect(pdus[1].payload == [0x01, 0x04, 0x00, 0x09, 0x10, 0x00, 0x00])
    #expect(pdus[2].payload == [0x02, 0x03, 0x00, 0x09, 0x10, 0x00, 0x00])
    #expect(pdus[3].payload.count == 65)
  }

  @Test func secureConnectionsPasskeyTakesTwentyRounds() {
    let codes = security(.pair(.passkey, beginsWithSecurityRequest: false)).map { $0.payload[0] }
    #expect(codes.count { $0 == 0x03 } == 40)
    #expect(codes.count { $0 == 0x04 } == 40)
    #expect(codes.first == 0x01)
  }

  @Test func legacyPairingDistributesTheKeyAfterEncryption() {
    let scenario = Scenario("legacy", [.connect(), .pair(.passkey, isSecureConnections: false)])
    let codes = units(scenario.frames()).map { $0.payload[0] }
    #expect(codes == [0x0B, 0x01, 0x02, 0x03, 0x03, 0x04, 0x04, 0x06, 0x07])
    let frames = scenario.frames()
    let change = frames.firstIndex { $0.kind == .event && $0.octets[0] == 0x08 }
    let key = frames.firstIndex { $0.kind == .aclReceived && $0.octets[8] == 0x06 }
    #expect(change.map { change in key.map { $0 > change } ?? false } == true)
  }

  @Test func identityIsSentLeastSignificantOctetFirst() {
    let key = (0..<16).map { UInt8($0) }
    let pdus = security(.pair(sensorIdentityKey: key)).suffix(2).map(\.payload)
    #expect(pdus.first == [0x08] + key.reversed())
    #expect(pdus.last == [0x09, 0x01, 0x01, 0x00, 0xFE, 0xCA, 0x0D, 0xF0])
  }

  @Test func failedPairingStops() {
    let scenario = Scenario("failure", [.connect(), .pair(failure: 0x05)])
    #expect(units(scenario.frames()).last?.payload == [0x05, 0x05])
    #expect(!scenario.frames().contains { $0.kind == .event && $0.octets[0] == 0x08 })
  }

  @Test func aPeripheralCollectorAnswersThePairing() {
    let pdus = units(Scenario("roles", [.connect(collectorRole: .peripheral), .pair()]).frames())
    #expect(pdus.map { $0.payload[0] }.prefix(3) == [0x0B, 0x01, 0x02])
    #expect(pdus.map(\.isSent).prefix(3) == [true, false, true])
  }

  @Test func parametersAreUpdatedByTheCentral() {
    let scenario = Scenario("parameters", [.connect(), .updateParameters(interval: 80)])
    let pdus = units(scenario.frames())
    #expect(pdus.map(\.channel) == [5, 5])
    #expect(pdus[0].payload == [0x12, 0x01, 0x08, 0x00, 80, 0, 80, 0, 0, 0, 0x90, 0x01])
    #expect(pdus[1].payload == [0x13, 0x01, 0x02, 0x00, 0x00, 0x00])
    let update: [UInt8] = [0x3E, 0x0A, 0x03, 0x00, 0x40, 0x00, 80, 0, 0, 0, 0x90, 0x01]
    #expect(scenario.frames().last?.octets == update)
    #expect(
      scenario.frames().contains { $0.kind == .command && $0.octets.starts(with: [0x13, 0x20, 0x0E, 0x40, 0x00]) }
    )
    #expect(!scenario.frames(Rendering(side: .sensor)).contains { $0.kind == .command })
  }

  @Test func advertisingCarriesServiceAndName() throws {
    let report = try #require(Scenario("advertising", [.advertise]).frames().last)
    let data: [UInt8] = [0x02, 0x01, 0x06, 0x03, 0x03, 0x08, 0x18, 0x0A, 0x09] + Array("GM-1 0001".utf8)
    #expect(data.count == 18)
    #expect(
      report.octets.prefix(13) == [0x3E, 30, 0x02, 0x01, 0x00, 0x01, 0x01, 0x00, 0xFE, 0xCA, 0x0D, 0xF0, 18]
    )
    #expect(Array(report.octets.dropFirst(13).dropLast()) == data)
  }

  @Test func timePassesAsWritten() {
    let frames = Scenario(
      "time",
      start: 1_000_000,
      [
        .command([0x03, 0x0C, 0x00]), .wait(milliseconds: 250), .lose(3), .event([0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00]),
      ]
    ).frames()
    #expect(frames.map(\.time) == [1_001_000, 1_252_000])
    #expect(frames.map(\.drops) == [0, 3])
  }

  @Test func resolvedAddressesNameTheIdentity() throws {
    let address = DeviceAddress(value: 0x7081_940D_FBAA, isRandom: true)
    #expect(address.kind == .resolvablePrivate)
    let scenario = Scenario("private", [.connect(isEnhanced: true, sensorAddress: address, isResolved: true)])
    let event = try #require(scenario.frames().last).octets
    #expect(event[7] == 0x03)
    #expect(Array(event[8..<14]) == scenario.meter.address.octets)
    #expect(Array(event[20..<26]) == address.octets)
  }
}

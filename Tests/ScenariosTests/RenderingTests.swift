import BluetoothWire
import CaptureFiles
import HealthProfiles
import Scenarios
import Testing

@Suite struct RenderingTests {
  @Test(arguments: [1, 4, 27, 200]) func fragmentsPutTogetherAreTheWhole(size: Int) {
    for name in ["first-sync", "eatt-sync"] {
      guard let scenario = Scenario.named(name) else { continue }
      let whole = scenario.frames()
      let cut = scenario.frames(Rendering(fragmentSize: size))
      #expect(units(cut) == units(whole))
      #expect(cut.allSatisfy { $0.kind != .aclSent && $0.kind != .aclReceived || $0.octets.count <= size + 4 })
    }
  }

  @Test(arguments: Scenario.catalogue.map(\.name)) func theSensorsSideSeesTheOtherDirection(name: String) throws {
    let scenario = try #require(Scenario.named(name))
    let collector = units(scenario.frames(Rendering(side: .collector)))
    let sensor = units(scenario.frames(Rendering(side: .sensor)))
    #expect(collector.allSatisfy { $0.isComplete })
    #expect(sensor == collector.map { Unit(isSent: !$0.isSent, octets: $0.octets) })
  }

  @Test func theLinkEndsFromBothSides() {
    let scenario = Scenario.sensorHangsUp()
    let collector = scenario.frames(Rendering(side: .collector))
    let sensor = scenario.frames(Rendering(side: .sensor))
    #expect(collector.last?.octets == [0x05, 0x04, 0x00, 0x40, 0x00, 0x13])
    #expect(sensor.last?.octets == [0x05, 0x04, 0x00, 0x40, 0x00, 0x16])
    let disconnect: [UInt8] = [0x06, 0x04, 0x03, 0x40, 0x00, 0x13]
    #expect(!collector.contains { $0.octets == disconnect })
    #expect(sensor.contains { $0.kind == .command && $0.octets == disconnect })
  }

  @Test func theConnectionEventNamesTheLocalRole() throws {
    let scenario = Scenario("connect", [.connect(isEnhanced: true)])
    let central = try #require(scenario.frames().last)
    let peripheral = try #require(scenario.frames(Rendering(side: .sensor)).last)
    #expect(
      central.octets == [0x3E, 0x1F, 0x0A, 0x00, 0x40, 0x00, 0x00, 0x01, 0x01, 0x00, 0xFE, 0xCA, 0x0D, 0xF0]
        + [UInt8](repeating: 0, count: 12) + [24, 0, 0, 0, 200, 0, 0]
    )
    #expect(peripheral.octets[6] == 0x01)
    #expect(peripheral.octets[7] == 0x00)
    #expect(Array(peripheral.octets[8..<14]) == scenario.collectorAddress.octets)
  }

  @Test func encryptionIsStartedOrAnswered() {
    let scenario = Scenario("encrypt", [.connect(), .encrypt(keySize: 16)])
    let central = scenario.frames().suffix(3).map(\.octets)
    #expect(central[0].prefix(5) == [0x19, 0x20, 0x1C, 0x40, 0x00])
    #expect(central[1] == [0x0F, 0x04, 0x00, 0x01, 0x19, 0x20])
    #expect(central[2] == [0x59, 0x05, 0x00, 0x40, 0x00, 0x01, 0x10])
    let peripheral = scenario.frames(Rendering(side: .sensor)).suffix(4).map(\.octets)
    #expect(peripheral[0].prefix(5) == [0x3E, 0x0D, 0x05, 0x40, 0x00])
    #expect(peripheral[1].prefix(5) == [0x1A, 0x20, 0x12, 0x40, 0x00])
    #expect(peripheral[3] == central[2])
  }

  @Test func aFirstSyncHasThirtyRecordsAndSevenContexts() throws {
    let pdus = units(Scenario.firstSync().frames()).filter { $0.channel == 4 }.map(\.payload)
    let measurements = pdus.filter { $0.starts(with: [0x1B, 0x1B, 0x00]) }.map { Array($0.dropFirst(3)) }
    let contexts = pdus.filter { $0.starts(with: [0x1B, 0x1E, 0x00]) }
    let decoded = try measurements.map { try GlucoseMeasurement(decoding: $0.span.bytes) }
    #expect(decoded.map(\.sequenceNumber) == Array(1...30))
    #expect(decoded.first?.timeOffset == 0)
    #expect(decoded.dropFirst().allSatisfy { $0.timeOffset == nil })
    #expect(decoded.filter(\.contextFollows).map(\.sequenceNumber) == [4, 8, 12, 16, 20, 24, 28])
    #expect(contexts.count == 7)
    let start = Scenario.firstSync().start / 1_000_000
    #expect(decoded.allSatisfy { ($0.baseTime.secondsSince1970 ?? .max) < start })
    #expect(pdus.contains([0x12, 0x23, 0x00, 0x01, 0x01]))
    #expect(pdus.contains([0x1D, 0x23, 0x00, 0x06, 0x00, 0x01, 0x01]))
    #expect(pdus.contains([0x1D, 0x23, 0x00, 0x05, 0x00, 0x1E, 0x00]))
  }

  @Test func aCachedTableNeedsNoDiscovery() {
    var rendering = Rendering()
    rendering.withoutDiscovery = true
    let pdus = units(Scenario.firstSync().frames(rendering)).filter { $0.channel == 4 }
    #expect(!pdus.contains { [0x04, 0x08, 0x10].contains($0.payload[0]) })
    #expect(pdus.contains { $0.payload == [0x12, 0x1C, 0x00, 0x01, 0x00] })
  }

  @Test func discoveryFitsTheDefaultMTU() {
    let scenario = Scenario("discovery", [.connect(), .discoverGlucose])
    let pdus = units(scenario.frames()).map(\.payload)
    #expect(pdus.allSatisfy { $0.count <= 23 })
    let declarations = pdus.filter { $0[0] == 0x09 }.flatMap { $0.dropFirst(2) }
    #expect(declarations.count == 14 * 7)
    #expect(pdus.filter { $0[0] == 0x05 }.count == 4)
  }

  @Test func theChangedClockMovesOnlyTheOffset() {
    let pdus = units(Scenario.clockChange().frames()).map(\.payload)
    let later = pdus.filter { $0.count > 5 && $0.starts(with: [0x1B, 0x1B, 0x00]) && $0[4] >= 31 }
    #expect(later.count == 3)
    #expect(later.first?[13...14] == [0x4C, 0xFF])
  }

  @Test func refusalsNameTheRequest() {
    let refused = units(Scenario.overlapRefused().frames()).map(\.payload)
    #expect(refused.contains([0x01, 0x12, 0x23, 0x00, 0x80]))
    let missing = units(Scenario.missingSubscription().frames()).map(\.payload)
    #expect(missing.contains([0x01, 0x12, 0x23, 0x00, 0x81]))
  }

  @Test func completedPacketsMatchTheFragmentsSent() {
    let frames = Scenario.firstSync().frames(Rendering(fragmentSize: 27))
    let completed = frames.filter { $0.kind == .event && $0.octets[0] == 0x13 }
    let count = completed.reduce(0) { $0 + Int($1.octets[5]) }
    #expect(count == frames.count { $0.kind == .aclSent })
  }
}

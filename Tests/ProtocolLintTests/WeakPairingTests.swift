import HealthProfiles
import ProtocolLint
import Scenarios
import Testing

/// What SEC-009 says of who does without Secure Connections.
@Suite struct WeakPairingTests {
  private static func message(collector: UInt8, sensor: UInt8) throws -> String? {
    let scenario = Scenario(
      "pairing",
      [
        .arrival, .exchangeMTU(185), .discoverGlucose, .security(from: .collector, [0x01, 4, 0, collector, 16, 0, 1]),
        .security(from: .sensor, [0x02, 3, 0, sensor, 16, 0, 1]), .encrypt(), .subscribe(), .fetch(.all, 1...3),
        .farewell,
      ]
    )
    return try Judgement(scenario).findings(of: "SEC-009").first?.message
  }

  @Test func theSideThatDoesWithoutIsNamed() throws {
    let start = "paired by Just Works with a key of 16 octets: "
    #expect(
      try Self.message(collector: 9, sensor: 1) == start + "the sensor does not offer Secure Connections"
    )
    #expect(
      try Self.message(collector: 1, sensor: 9) == start + "the collector does not offer Secure Connections"
    )
    #expect(try Self.message(collector: 1, sensor: 1) == start + "neither side offers Secure Connections")
    #expect(try Self.message(collector: 9, sensor: 9) == nil)
  }
}

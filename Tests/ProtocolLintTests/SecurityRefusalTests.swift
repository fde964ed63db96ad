import CaptureFiles
import HealthProfiles
import ProtocolLint
import Scenarios
import Testing

/// A sensor that asks for security on a link that has some (GLP 5.2.1, 5.2.2).
@Suite struct SecurityRefusalTests {
  private static let refused: [Step] = [
    .write(.recordAccessConfiguration, [2, 0]), .refuse(error: 0x05), .wait(milliseconds: 6000), .disconnect(),
  ]

  private static func found(_ steps: [Step], _ side: Party) throws -> [String] {
    try Judgement(Scenario("security-refusal", steps + refused), Rendering(side: side)).findings(of: "SEC-002")
      .map { "\($0.level) \($0.fault) \($0.confidence)" }
  }

  @Test(arguments: Party.allCases)
  func `in the clear the collector can pair, and must`(side: Party) throws {
    #expect(try Self.found([.arrival, .exchangeMTU(185), .discoverGlucose], side) == ["error collector certain"])
  }

  @Test(arguments: Party.allCases)
  func `encrypted with the best key that the two can make nobody is known to be at fault`(side: Party) throws {
    let expected = ["warning undetermined possible"]
    #expect(try Self.found([.arrival, .exchangeMTU(185), .pair(), .discoverGlucose], side) == expected)
    #expect(try Self.found([.arrival, .exchangeMTU(185), .pair(.passkey), .discoverGlucose], side) == expected)
  }

  @Test(arguments: Party.allCases)
  func `how a stored key was made is not on the link`(side: Party) throws {
    let found = try Self.found([.bondedArrival, .exchangeMTU(185), .discoverGlucose], side)
    #expect(found == ["warning collector likely"])
  }

  /// Both have a display and two buttons, and neither asked for protection against a third one.
  @Test(arguments: Party.allCases)
  func `a key that a better pairing would replace is the collector's to replace`(side: Party) throws {
    let features: (UInt8) -> [UInt8] = { [$0, 0x01, 0x00, 0x09, 16, 0x0B, 0x0B] }
    let steps: [Step] = [
      .arrival, .exchangeMTU(185), .security(from: .collector, features(0x01)),
      .security(from: .sensor, features(0x02)), .encrypt(), .discoverGlucose,
    ]
    #expect(try Self.found(steps, side) == ["error collector certain"])
  }
}

@Test func `encryption that came about without an order in the capture answers a refusal`() throws {
  let steps: [Step] = [
    .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .arrival,
    .security(from: .sensor, [0x0B, 0x01]),
    .report(.atLeast(7)), .refuse(error: 0x0F), .wait(milliseconds: 1200), .encrypt(), .fetchNothing(.atLeast(7)),
    .farewell,
  ]
  for side in Party.allCases {
    let frames = Scenario("order", steps).frames(Rendering(side: side))
    let refused = try #require(frames.lastIndex { $0.octets.suffix(5) == [0x01, 0x12, 0x23, 0x00, 0x0F] })
    // LE Enable Encryption at the one end, the controller's question for the key and the answer at the other.
    let begins: [[UInt8]] = [[0x19, 0x20], [0x1A, 0x20], [0x3E, 0x0D, 0x05]]
    let kept = frames.enumerated().filter { place, frame in
      place < refused || !begins.contains { frame.octets.starts(with: $0) }
    }
    #expect(kept.count < frames.count)
    let judged = try FaultyCapture(name: "order", frames: kept.map(\.element)).judge()
    #expect(judged.findings(of: "SEC-002").isEmpty, "\(judged.findings.map(\.message))")
  }
}

import BluetoothWire
import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

private let reason = VisibilityFacts.identity.reason

/// A link of a meter with an address that nothing resolves.
private func privateLink(_ last: UInt64) -> Step {
  .connect(sensorAddress: DeviceAddress(value: 0x5A00_0000_0000 + last, isRandom: true))
}

private let skipping: [Step] = [
  .exchangeMTU(185), .discoverGlucose, .read(.feature), .subscribe(), .ask(answer: 30), .report(.all), .accept,
  .records(1...12), .wait(milliseconds: 2000), .linkLoss, .later(minutes: 1),
]
private let behind: [Step] = [
  .exchangeMTU(185), .discoverGlucose, .subscribe(), .fetchNothing(.atLeast(31)), .farewell,
]

@Test func `links of meters that cannot be told apart are not silently left out`() throws {
  let steps: [Step] = [privateLink(1), .encrypt()] + skipping + [privateLink(2), .encrypt()] + behind
  let judged = try Judgement(Scenario("private-meter", steps))
  #expect(judged.findings(of: "SEQ-007").isEmpty)
  #expect(judged.inconclusive.contains { $0.rule == "SEQ-007" && $0.reason == reason })
}

@Test func `one such link is no riddle, nor are links without procedures`() throws {
  let alone = try Judgement(Scenario("alone", [privateLink(1), .encrypt()] + skipping))
  #expect(!alone.inconclusive.contains { $0.rule == "SEQ-007" })
  let idle: [Step] = [privateLink(2), .encrypt(), .exchangeMTU(185), .discoverGlucose, .farewell]
  let silent = try Judgement(Scenario("silent", [privateLink(1), .encrypt()] + skipping + idle))
  #expect(!silent.inconclusive.contains { $0.rule == "SEQ-007" })
}

@Test func `phones that cannot be told apart are not silently left out`() throws {
  // Connection Complete of a phone with a private address; the captured host is the peripheral.
  func phone(_ last: UInt8) -> Step {
    .event([
      0x3E, 19, 0x01, 0x00, 0x40, 0x00, 0x01, 0x01, last, 0x32, 0x07, 0xDC, 0x1B, 0x5A, 24, 0, 0, 0, 72, 0, 0,
    ])
  }
  let steps: [Step] = [phone(1), .encrypt()] + skipping + [phone(2), .encrypt()] + behind
  let judged = try Judgement(Scenario("private-phone", steps), Rendering(side: .sensor))
  #expect(judged.findings(of: "SEQ-007").isEmpty)
  #expect(judged.inconclusive.contains { $0.rule == "SEQ-007" && $0.reason == reason })
  // A rule that would find nothing to look at in any case stays out of it.
  #expect(!judged.inconclusive.contains { $0.rule == "SEC-007" })
}

import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

/// Connection Complete of a link on handle 0x0041 on which the captured host is the peripheral.
private let anotherLink: [UInt8] = [
  0x3E, 19, 0x01, 0x00, 0x41, 0x00, 0x01, 0x00, 0x02, 0x32, 0x07, 0xDC, 0x1B, 0x00, 24, 0, 0, 0, 72, 0, 0,
]

@Test func `a sensor that serves another collector is not called idle`() throws {
  let steps: [Step] = [
    .firstArrival, .fetch(.all, 1...6), .wait(milliseconds: 500), .report(.atLeast(7)), .refuse(error: 0x80), .farewell,
  ]
  let alone = try Judgement(Scenario("alone", steps), Rendering(side: .sensor))
  #expect(alone.findings.map(\.rule) == ["RACP-003"])
  let shared = try Judgement(Scenario("shared", [.event(anotherLink)] + steps), Rendering(side: .sensor))
  #expect(shared.findings.isEmpty)
  #expect(shared.inconclusive.contains { $0.rule == "RACP-003" })
}

import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

/// Notifications of a handle that nothing names are no contexts where those are known.
@Suite struct UnnamedNotificationsTests {
  private func judgement(withoutDiscovery: Bool) throws -> Judgement {
    var rendering = Rendering()
    rendering.withoutDiscovery = withoutDiscovery
    let steps: [Step] = [
      .firstArrival, .report(.all), .accept, .records(1...3), .attribute(from: .sensor, [0x1B, 0x40, 0x00, 0x01]),
      .records(4...6), .result(.report, .success), .confirm, .farewell,
    ]
    return try Judgement(Scenario("unnamed", steps), rendering)
  }

  @Test func `repeated records are judged beside them`() throws {
    let judged = try judgement(withoutDiscovery: false)
    #expect(judged.passed.contains("SEQ-001"))
    #expect(!judged.inconclusive.contains { $0.rule == "SEQ-001" })
  }

  @Test func `an inferred context is known as well`() throws {
    #expect(try judgement(withoutDiscovery: true).passed.contains("SEQ-001"))
  }
}

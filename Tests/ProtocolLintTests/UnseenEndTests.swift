import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

/// Links that end without a Disconnection Complete, and transfers of which the end is not in the capture.
@Suite struct UnseenEndTests {
  private static let broken: [Step] = [
    .firstArrival, .ask(answer: 30), .report(.all), .accept, .records(1...12), .wait(milliseconds: 500),
  ]
  private static let skipping: [Step] = [
    .later(minutes: 1), .bondedArrival, .report(.atLeast(31)), .accept, .result(.report, .noRecordsFound), .confirm,
    .farewell,
  ]
  private static let resuming: [Step] = [
    .later(minutes: 1), .bondedArrival, .fetch(.atLeast(13), 13...30), .farewell,
  ]

  private static func judge(_ steps: [Step], _ side: Party) throws -> Judgement {
    try Judgement(Scenario("unseen-end", steps), Rendering(side: side))
  }

  @Test(arguments: Party.allCases)
  func aResetIsTheEndOfATransfer(side: Party) throws {
    let reset = try Self.judge(Self.broken + [.controllerReset] + Self.skipping, side)
    let lost = try Self.judge(Self.broken + [.linkLoss] + Self.skipping, side)
    let found = try #require(reset.findings(of: "SEQ-007").first)
    let known = try #require(lost.findings(of: "SEQ-007").first)
    #expect(found.level == known.level && found.fault == known.fault && found.fingerprint == known.fingerprint)
    let open = try #require(reset.findings(of: "CAP-002").first)
    #expect(open.message.hasPrefix("the controller is reset or closed while \"report all\" waits"))
    #expect(try Self.judge(Self.broken + [.controllerReset] + Self.resuming, side).passed.contains("SEQ-007"))
  }

  @Test(arguments: Party.allCases)
  func whatAMissingEndHidesIsNotJudged(side: Party) throws {
    let judged = try Self.judge(Self.broken + Self.skipping, side)
    #expect(judged.findings.map(\.rule) == ["CAP-002"])
    #expect(judged.findings[0].message.hasPrefix("the link ends unseen while \"report all\" waits"))
    let reasons = judged.inconclusive.filter { $0.rule == "SEQ-007" }.map(\.reason)
    #expect(reasons == ["the capture does not show how the report before the request that leaves records out came out"])
    #expect(!judged.passed.contains("SEQ-007"))
    let resumed = try Self.judge(Self.broken + Self.resuming, side)
    #expect(!resumed.inconclusive.contains { $0.rule == "SEQ-007" })
  }

  @Test(arguments: Party.allCases)
  func aLaterBreakIsJudgedBehindAnUnseenOne(side: Party) throws {
    let again: [Step] = [
      .later(minutes: 1), .bondedArrival, .report(.atLeast(13)), .accept, .records(13...20),
      .wait(milliseconds: 2000), .linkLoss,
    ]
    let found = try Self.judge(Self.broken + again + Self.skipping, side).findings(of: "SEQ-007")
    #expect(found.map(\.message).first?.contains("21–30") == true)
  }

  @Test(arguments: Party.allCases)
  func whatOnlyAnEarlierBondBroughtDoesNotAcquit(side: Party) throws {
    let before: [Step] = [.firstArrival, .ask(answer: 30), .fetch(.all, 1...30), .farewell, .later(minutes: 60)]
    let anew: [Step] = [
      .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .subscribe(), .ask(answer: 30), .report(.all), .accept,
      .records(1...12), .wait(milliseconds: 2000), .linkLoss,
    ]
    let judged = try Self.judge(before + anew + Self.skipping, side)
    #expect(judged.findings(of: "SEQ-007").isEmpty && !judged.passed.contains("SEQ-007"))
    let reasons = judged.inconclusive.filter { $0.rule == "SEQ-007" }.map(\.reason)
    #expect(reasons == ["whether the collector still has what came under an earlier bond is not in the capture"])
    #expect(try Self.judge(before + anew + Self.resuming, side).passed.contains("SEQ-007"))
  }
}

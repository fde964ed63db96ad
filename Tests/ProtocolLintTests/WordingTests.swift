import CaptureFiles
import HealthProfiles
import LinkTrace
import ProtocolLint
import Scenarios
import Testing

private func message(of rule: RuleIdentifier, _ steps: [Step]) throws -> String {
  try Judgement(Scenario("wording", steps)).findings(of: rule).first?.message ?? ""
}

@Test func `a delete names what was counted and what had come`() throws {
  let said = try message(
    of: "RACP-019",
    [
      .firstArrival, .ask(answer: 12), .fetch(.atMost(6), 1...6), .delete(.all), .accept, .result(.delete, .success),
      .confirm, .farewell,
    ]
  )
  #expect(said.hasSuffix("although of 12 counted records only 6 had come: 6 can never be fetched"))
}

@Test func `a delete after the last record alone does not say that no report was there`() throws {
  let said = try message(
    of: "RACP-019",
    [
      .firstArrival, .fetch(.last, 12...12), .delete(.all), .accept, .result(.delete, .success), .confirm, .farewell,
    ]
  )
  #expect(said.hasSuffix("and no report has asked for 0–11"))
}

@Test func `a request that is answered by a result has no records mixed in`() throws {
  let said = try message(
    of: "RACP-002",
    [
      .firstArrival, .report(.all), .accept, .records(1...3), .report(.all), .accept,
      .result(.report, .procedureNotCompleted), .confirm, .records(4...6), .result(.report, .success), .confirm,
      .farewell,
    ]
  )
  #expect(!said.contains("mixed"))
}

@Test func `nobody accepts a command`() throws {
  let overlap = try message(
    of: "RACP-001",
    [
      .firstArrival, .report(.all), .accept, .records(1...3), .writeCommand(.recordAccess, [0x01, 0x01]),
      .records(4...6), .result(.report, .success), .confirm, .farewell,
    ]
  )
  #expect(overlap.contains("sent as a command") && !overlap.contains("accepted"))
  let early = try message(
    of: "GATT-003",
    [
      .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .writeCommand(.recordAccess, [0x01, 0x01]),
      .wait(milliseconds: 500), .farewell,
    ]
  )
  #expect(early.contains("command") && !early.contains("accepted"))
}

@Test func `long times are told in days`() throws {
  var meter = Meter()
  meter.firstBaseTime -= 300 * 86_400
  let said = try message(
    of: "CLK-009",
    [
      .selectMeter(meter), .firstArrival, .report(.within(2, 5)), .accept, .records(2...4), .record(31), .record(5),
      .result(.report, .success), .confirm, .farewell,
    ]
  )
  #expect(said.contains(" days before that of the capture"))
}

@Test func `of two reports that broke off the one that asked for the rest is named`() throws {
  let lost: [Step] = [.wait(milliseconds: 2000), .linkLoss, .later(minutes: 1), .bondedArrival]
  func said(_ second: Step, _ further: [Step], _ last: ClosedRange<UInt16>) throws -> String {
    var steps: [Step] = [.firstArrival, .ask(answer: 30), .report(.all), .accept, .records(1...6)]
    steps += lost + [second, .accept, .records(7...12)] + lost + further
    steps += [.fetch(.atLeast(UInt32(last.lowerBound)), last), .farewell]
    return try message(of: "SEQ-007", steps)
  }
  let rest = try said(.report(.atLeast(7)), [], 21...30)
  #expect(rest.contains("leaves out 13–20: \"report ≥ 7\" broke off after number 12"), "\(rest)")
  // What the second did not ask for is the first one's.
  let part = try said(.report(.within(7, 20)), [.fetch(.within(13, 20), 13...20)], 26...30)
  #expect(part.contains("leaves out 21–25: \"report all\" broke off after number 6"), "\(part)")
}

@Test func `records that the logger cut beyond recognition are not counted as none`() throws {
  let steps: [Step] = [
    .firstArrival, .report(.all), .accept, .records(1...3), .report(.all), .accept, .record(1), .record(4),
    .record(2), .record(5), .record(3), .record(6), .result(.report, .success), .confirm, .farewell,
  ]
  let frames = Scenario("cut", steps).frames(Rendering()).map { frame in
    var frame = frame
    if frame.kind == .aclSent || frame.kind == .aclReceived { frame.octets = Array(frame.octets.prefix(14)) }
    return frame
  }
  let judged = try FaultyCapture(name: "cut", frames: frames).judge()
  let said = judged.findings(of: "RACP-002").first?.message ?? ""
  #expect(said.hasSuffix("which records came is not in the capture"), "\(judged.findings.map(\.message))")
}

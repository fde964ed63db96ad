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

@Test func `the reason of a failed pairing is told as what it means`() throws {
  func said(_ failure: UInt8) throws -> String {
    try message(of: "SEC-005", [.arrival, .exchangeMTU(185), .discoverGlucose, .pair(failure: failure), .farewell])
  }
  #expect(try said(0x0B).hasSuffix("with 0x0B (DHKey check failed) once; the two computed different keys"))
  #expect(try said(0x06).hasSuffix("it demands a longer key than was offered"))
  #expect(try said(0x08).hasSuffix("the user may have cancelled it"))
  for failure: UInt8 in 0x01...0x10 where failure != 0x08 {
    #expect(try !said(failure).contains("cancelled"), "\(failure)")
  }
}

@Test func `a PDU that is too long is told with the MTU`() throws {
  let said = try message(
    of: "MTU-002",
    [
      .firstArrival, .fetch(.all, 1...3), .attribute(from: .collector, [0x0A, 0x03, 0x00]),
      .attribute(from: .sensor, [0x0B] + [UInt8](repeating: 0x41, count: 300)), .farewell,
    ]
  )
  #expect(said == "read response of 301 octets on a bearer whose MTU is 185")
}

@Test func `of a counted range that is left out only what was counted is missing`() throws {
  let said = try message(
    of: "APP-014",
    [
      .firstArrival, .fetch(.all, 1...12), .farewell, .later(minutes: 60), .bondedArrival, .ask(answer: 20),
      .fetchNothing(.atLeast(3328)), .farewell,
    ]
  )
  #expect(said.contains("leaves out 8 counted records from number 13 on: "), "\(said)")
}

@Test func `what is malformed is not quoted as a request`() throws {
  let odd: [UInt8] = [0x01, 0x03, 0x05, 0x01, 0x00]
  let steps: [Step] = [
    .firstArrival, .write(.recordAccess, odd), .accept, .result(.report, .invalidOperator), .confirm, .farewell,
  ]
  let said = try message(of: "RACP-029", steps)
  #expect(
    said == "answered the malformed request 0103050100 with 03 (invalid operator); due is 09 (operand not supported)"
  )
}

@Test func `a malformed request by time is one finding, the operand's`() throws {
  let reversed: [UInt8] = [
    0x01, 0x04, 0x02, 0xEA, 0x07, 2, 1, 0, 0, 0, 0xEA, 0x07, 1, 1, 0, 0, 0,
  ]
  let steps: [Step] = [
    .firstArrival, .fetch(.all, 1...6), .write(.recordAccess, reversed), .accept, .result(.report, .invalidOperand),
    .confirm, .farewell,
  ]
  let judged = try Judgement(Scenario("reversed-times", steps))
  #expect(judged.findings.map(\.rule) == ["RACP-011"])
  #expect(judged.findings.allSatisfy { $0.consequences.isEmpty })
}

@Test func `a result that is malformed and wrong is told of once`() throws {
  let steps: [Step] = [
    .firstArrival, .fetch(.all, 1...6), .count(.all), .accept, .indicate(.recordAccess, [0x06, 0x01, 0x04, 0x06]),
    .confirm, .farewell,
  ]
  let judged = try Judgement(Scenario("operator-in-result", steps))
  #expect(judged.findings.map(\.rule) == ["RACP-025"])
  #expect(judged.findings.first?.consequences == [.init(rule: "RACP-029", count: 1)])
}

@Test func `an answer to a count that finds nothing is told what is due whatever was there`() throws {
  let said = try message(
    of: "RACP-029",
    [
      .firstArrival, .fetch(.all, 1...6), .count(.all), .accept, .result(.count, .noRecordsFound), .confirm, .farewell,
    ]
  )
  #expect(said.hasSuffix("due is 05 00 and the number of records, 05000000 for none"), "\(said)")
}

@Test func `a sensor that hangs up in a discovery is told of once`() throws {
  let steps: [Step] = [
    .arrival, .exchangeMTU(185), .pair(), .askForServices(), .wait(milliseconds: 2000),
    .disconnect(.sensor, reason: 0x13),
  ]
  let later: [Step] = [
    .later(minutes: 1), .bondedArrival, .discoverGlucose, .subscribe(), .fetch(.all, 1...3), .farewell,
  ]
  let judged = try Judgement(Scenario("hangs-up", steps + later))
  let told: Set<RuleIdentifier> = ["CONN-002", "CONN-003"]
  let found = judged.findings.map(\.rule).filter { told.contains($0) }
  #expect(found == ["CONN-002"])
}

/// Lower-case digits of a code, and what is counted without its noun.
@Test(arguments: ExampleCase.failing)
func `a message has one case for hexadecimal, and the right articles and numbers`(item: ExampleCase) throws {
  for finding in try Judgement(item.example.scenario, item.example.rendering).findings {
    for text in [finding.message] + finding.evidence {
      #expect(text.matches(of: /0x[0-9A-F]*[a-f]/).isEmpty, "\(text)")
      #expect(text.matches(of: /\ba [aeioAEIO]/).isEmpty, "\(text)")
      let plural = text.matches(of: /\b1 [a-z]+s\b/).filter { !["1 is", "1 has", "1 ms"].contains($0.output) }
      #expect(plural.isEmpty, "\(text)")
    }
    // The codes of errors say what they mean.
    if finding.message.contains("refused") {
      #expect(finding.message.matches(of: /(?:with|error) 0x[0-9A-F]{2}(?! \()/).isEmpty, "\(finding.message)")
    }
  }
}

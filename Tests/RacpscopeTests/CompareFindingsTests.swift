import CaptureFiles
import Foundation
import HealthProfiles
import Scenarios
import Testing

/// What `compare` says of the lint is what `lint` says, over all links and captures of a side.
@Suite struct CompareFindingsTests {
  private static let skip = "samples/link-loss-skip.btsnoop"
  private static let whole = "samples/first-sync.btsnoop"

  /// A finding by what both outputs have of it.
  private struct Said: Hashable, CustomStringConvertible {
    var capture: Int
    var link: Int
    var rule: String
    var level: String
    var fault: String
    var procedure: Int?
    var frame: Int?
    var message: String

    var description: String { "\(capture)/\(link) \(level) \(rule) \(procedure ?? 0) #\(frame ?? 0) \(message)" }

    init?(_ json: [String: Any], capture: Int, link: Int, frame: Int?) {
      guard let rule = json["rule"] as? String, let level = json["level"] as? String,
        let fault = json["fault"] as? String, let message = json["message"] as? String
      else { return nil }
      self.capture = capture
      self.link = link
      self.rule = rule
      self.level = level
      self.fault = fault
      procedure = json["procedure"] as? Int
      self.frame = frame
      self.message = message
    }
  }

  private func document(_ arguments: [String]) throws -> [String: Any] {
    let run = try CommandRun(["compare", "--format", "json"] + arguments)
    return try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  private func parting(_ json: [String: Any]) throws -> [String: Any] {
    let device = try #require((json["devices"] as? [[String: Any]])?.first)
    return try #require(device["parting"] as? [String: Any])
  }

  /// A sync that broke off and the next one that skipped the rest, as the two files a phone would make of them.
  private func halves(_ folder: ScratchFolder) throws -> [String] {
    try ["1", "2"].map { link in
      let path = folder.path("link\(link).btsnoop")
      let run = try CommandRun(["extract", "--link", link, "-o", path, Self.skip])
      #expect(run.status == 0, "\(run.complaint)")
      return path
    }
  }

  private func said(byLintOf files: [String]) throws -> [Said] {
    let run = try CommandRun(["lint", "--format", "json"] + files)
    let json = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let captures = try #require(json["captures"] as? [[String: Any]])
    return try captures.enumerated().flatMap { index, capture in
      try #require(capture["findings"] as? [[String: Any]]).compactMap { finding in
        guard let link = finding["link"] as? Int else { return nil }
        return Said(finding, capture: index, link: link, frame: (finding["frames"] as? [Int])?.first)
      }
    }
  }

  private func said(bySide side: [String: Any]) throws -> (findings: [Said], links: Set<[Int]>) {
    var findings: [Said] = []
    var links: Set<[Int]> = []
    for link in try #require(side["links"] as? [[String: Any]]) {
      let capture = try #require(link["capture"] as? Int)
      let number = try #require(link["link"] as? Int)
      links.insert([capture, number])
      findings += try #require(link["findings"] as? [[String: Any]]).compactMap {
        Said($0, capture: capture, link: number, frame: $0["frame"] as? Int)
      }
    }
    return (findings, links)
  }

  @Test func thePartingShowsTheRuleOverSeveralLinks() throws {
    let run = try CommandRun(["compare", Self.skip, Self.whole])
    let lines = run.output.split(separator: "\n").map(String.init)
    let place = try #require(lines.firstIndex { $0.contains("they part") })
    let next = lines[place + 1]
    #expect(next.contains("A error SEQ-007 collector: \"report ≥ 31\" leaves out 13–30"), "\(next)")
    #expect(run.output.components(separatedBy: "SEQ-007").count == 2, "it stands there once")
    #expect(run.output.contains("lint          A 1 error, 1 note   B no findings"))
  }

  /// The step at which two part carries the rule that it broke, also where nothing came of it.
  @Test(arguments: ["RACP-011", "GATT-003"])
  func thePartingShowsWhatWasWrongWithARequestThatBroughtNothing(rule: String) throws {
    let steps: [String: [Step]] = [
      "RACP-011": [
        .adapterAppears, .firstArrival, .write(.recordAccess, [0x04, 0x01, 0x00]), .accept,
        .result(.count, .invalidOperand), .confirm,
        .farewell,
      ],
      "GATT-003": [
        .adapterAppears, .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .read(.feature), .report(.all),
        .refuse(error: 0x81), .farewell,
      ],
    ]
    let folder = try ScratchFolder()
    let wrong = folder.path("wrong.btsnoop")
    try Scenario("wrong", try #require(steps[rule])).write(to: wrong)
    let sound = folder.path("sound.btsnoop")
    let good: [Step] = [
      .adapterAppears, .firstArrival, .ask(answer: 9), .fetch(.all, 1...9), .farewell,
    ]
    try Scenario("sound", good).write(to: sound)
    let lines = try CommandRun(["compare", wrong, sound]).output.split(separator: "\n").map(String.init)
    let place = try #require(lines.firstIndex { $0.contains("they part") })
    #expect(lines[place + 1...place + 2].contains { $0.contains("A error \(rule) collector") }, "\(lines)")
    let document = try parting(document([wrong, sound]))
    let findings = try #require((document["first"] as? [String: Any])?["findings"] as? [[String: Any]])
    #expect(findings.first?["rule"] as? String == rule)
  }

  @Test func theDocumentShowsItToo() throws {
    let parting = try parting(document([Self.skip, Self.whole]))
    let first = try #require(parting["first"] as? [String: Any])
    let findings = try #require(first["findings"] as? [[String: Any]])
    #expect(findings.compactMap { $0["rule"] as? String } == ["SEQ-007", "CONN-004"])
    #expect(findings.first?["link"] as? Int == 2)
    #expect(findings.first?["frame"] as? Int == 216)
    #expect(findings.first?["procedure"] as? Int == 1)
    #expect(((parting["second"] as? [String: Any])?["findings"] as? [Any])?.isEmpty == true)
  }

  @Test func theRulesLookOverTheCapturesOfASide() throws {
    let folder = try ScratchFolder()
    let halves = try halves(folder)
    let json = try document([halves.joined(separator: ","), Self.whole])
    let first = try #require(try parting(json)["first"] as? [String: Any])
    let findings = try #require(first["findings"] as? [[String: Any]])
    #expect(findings.first?["rule"] as? String == "SEQ-007")
    #expect(findings.first?["capture"] as? Int == 1)
    let run = try CommandRun(["compare", halves.joined(separator: ","), Self.whole])
    #expect(run.output.contains("SEQ-007"))
    #expect(run.output.contains("of link2.btsnoop"))
    // Each half by itself has nothing to show.
    #expect(try !CommandRun(["compare", halves[0], Self.whole]).output.contains("SEQ-007"))
    #expect(try !CommandRun(["compare", halves[1], Self.whole]).output.contains("SEQ-007"))
  }

  @Test(arguments: [
    ["link-loss-skip.btsnoop"], ["overlap-accepted.btsnoop"], ["silence.btsnoop"], ["no-result.btsnoop"],
    ["no-encryption.btsnoop"], ["bonded-reconnect.btsnoop", "first-sync.btsnoop"],
    ["link-loss-skip.btsnoop", "first-sync.btsnoop", "overlap-accepted.btsnoop"], ["mid-connection-start.pcap"],
  ])
  func theFindingsAreThoseOfTheLint(names: [String]) throws {
    let files = names.map { "samples/" + $0 }
    let json = try document([files.joined(separator: ","), Self.whole])
    let (findings, links) = try said(bySide: #require(json["first"] as? [String: Any]))
    let lint = try said(byLintOf: files).filter { links.contains([$0.capture, $0.link]) }
    #expect(Set(findings) == Set(lint))
    #expect(findings.count == lint.count)
    #expect(!links.isEmpty)
  }

  @Test func theHalvesAreJudgedAsTheLintJudgesThem() throws {
    let folder = try ScratchFolder()
    let halves = try halves(folder)
    let json = try document([halves.joined(separator: ","), Self.whole])
    let (findings, _) = try said(bySide: #require(json["first"] as? [String: Any]))
    let lint = try said(byLintOf: halves)
    #expect(Set(findings) == Set(lint))
    #expect(lint.contains { $0.rule == "SEQ-007" && $0.capture == 1 })
  }
}

import CaptureFiles
import LinkTrace
import ProtocolLint
import Testing

/// What the rules must say of one recording: the rule, who is at fault, how much it weighs, and the anchor frame.
struct Accusation: Hashable, CustomStringConvertible {
  var rule: String
  var level: String
  var fault: String
  var frame: UInt32
  var description: String { "\(rule) \(level) \(fault) #\(frame)" }

  init(_ finding: Finding) {
    rule = finding.rule.description
    level = finding.level.name
    fault = finding.fault.rawValue
    frame = finding.frames.first ?? 0
  }

  init(_ rule: String, _ level: String, _ fault: String, _ frame: UInt32) {
    self.rule = rule
    self.level = level
    self.fault = fault
    self.frame = frame
  }
}

/// The recordings of a laboratory: a collector and a meter, each host captured.
enum Laboratory {
  static let folders = ["captures-collector", "captures"]

  /// Recordings with something to say, `folder/file` and what; every other one must be quiet.
  static let expected: [String: [Accusation]] = [
    "captures-collector/overlap.btsnoop": [Accusation("RACP-001", "error", "collector", 160)],
    "captures-collector/overlap.meter.btsnoop": [Accusation("RACP-001", "error", "collector", 122)],
    "captures-collector/overlap-accepted.btsnoop": [Accusation("RACP-001", "error", "collector", 160)],
    "captures-collector/overlap-accepted.meter.btsnoop": [Accusation("RACP-001", "error", "collector", 122)],
    "captures-collector/silence.btsnoop": [Accusation("APP-003", "warning", "collector", 196)],
    "captures-collector/silence.meter.btsnoop": [Accusation("APP-003", "warning", "collector", 188)],
    "captures/no-encryption.btsnoop": [Accusation("SEC-001", "error", "sensor", 133)],
    "captures/no-encryption.meter.btsnoop": [Accusation("SEC-001", "error", "sensor", 91)],
    "captures/late-advertising.btsnoop": [Accusation("SEC-001", "error", "sensor", 133)],
    "captures/late-advertising.meter.btsnoop": [Accusation("SEC-001", "error", "sensor", 103)],
  ]

  /// Recordings that do not show enough for a rule.
  static let unjudged: [String: [String]] = [
    "captures/fault-no-response.meter.btsnoop": ["APP-003: the end of the link is not in the capture"]
  ]

  static var recordings: [String] {
    folders.flatMap { folder in
      Surroundings.names(in: Surroundings.laboratory + "/" + folder).filter { $0.hasSuffix(".btsnoop") }
        .map { "\(folder)/\($0)" }
    }
  }

  static func judge(
    _ recording: String,
    memory: TraceMemory = TraceMemory(),
    lookingEvery stride: Int? = nil
  ) throws -> Judgement {
    try Judgement(.path(Surroundings.laboratory + "/" + recording), memory: memory, lookingEvery: stride)
  }
}

@Test func `the laboratory's recordings give exactly what is at fault in them`() throws {
  let recordings = Laboratory.recordings
  guard !recordings.isEmpty else { return print("skipped: no laboratory; set RACPSCOPE_LAB to run this test") }
  for recording in recordings {
    let judged = try Laboratory.judge(recording)
    #expect(judged.findings.map { Accusation($0) } == Laboratory.expected[recording] ?? [], "\(recording)")
    let unjudged = judged.inconclusive.map { "\($0.rule): \($0.reason)" }
    #expect(unjudged == Laboratory.unjudged[recording] ?? [], "\(recording)")
  }
  let missing = Laboratory.expected.keys.filter { !recordings.contains($0) }
  #expect(missing.isEmpty)
}

@Test func `both ends of a laboratory link tell the same story`() throws {
  let recordings = Laboratory.recordings
  guard !recordings.isEmpty else { return print("skipped: no laboratory; set RACPSCOPE_LAB to run this test") }
  for recording in recordings where !recording.hasSuffix(".meter.btsnoop") {
    let meter = recording.dropLast(".btsnoop".count) + ".meter.btsnoop"
    guard recordings.contains(String(meter)) else { continue }
    let collector = try Laboratory.judge(recording).findings
    let sensor = try Laboratory.judge(String(meter)).findings
    #expect(collector.map(\.fingerprint) == sensor.map(\.fingerprint), "\(recording)")
    #expect(collector.map(\.level) == sensor.map(\.level), "\(recording)")
    #expect(collector.map(\.consequences) == sensor.map(\.consequences), "\(recording)")
  }
}

@Test func `a link that is up is accused of nothing that its end takes back`() throws {
  let recordings = Laboratory.recordings
  guard !recordings.isEmpty else { return print("skipped: no laboratory; set RACPSCOPE_LAB to run this test") }
  var looks = 0
  for recording in recordings {
    let judged = try Laboratory.judge(recording, lookingEvery: 50)
    looks += judged.early.count
    #expect(judged.hasty == nil, "\(recording)")
    #expect(judged.findings.map { Accusation($0) } == Laboratory.expected[recording] ?? [], "\(recording)")
  }
  #expect(looks > recordings.count)
}

@Test func `what an overlap or a silence brings about is not accused beside it`() throws {
  guard !Laboratory.recordings.isEmpty else {
    return print("skipped: no laboratory; set RACPSCOPE_LAB to run this test")
  }
  let scenes = [
    "overlap", "overlap-accepted", "silence", "partial-skip", "partial-resume", "delete-early", "abort-ok",
  ]
  let consequence = ScriptedConsequence()
  for scene in scenes {
    for suffix in ["", ".meter"] {
      let path = Surroundings.laboratory + "/captures-collector/\(scene)\(suffix).btsnoop"
      let plain = try Judgement(.path(path))
      let judged = try Judgement(.path(path), rules: [consequence] + RuleRegistry.linkRules)
      let roots = judged.findings.filter { $0.rule != consequence.description.identifier }
      #expect(roots.map(\.fingerprint) == plain.findings.map(\.fingerprint))
      // Unfinished procedures that no root explains stand by themselves: the link loss of the two partial scenes.
      let count = judged.findings.count - roots.count
      #expect(count == (scene.hasPrefix("partial") ? 1 : 0), "\(scene)\(suffix)")
      let listed = roots.flatMap(\.consequences).filter { $0.rule == consequence.description.identifier }
      let unfinished = scene == "silence" ? 1 : 0
      #expect(listed.map(\.count).reduce(0, +) == unfinished, "\(scene)\(suffix)")
    }
  }
}

/// A stand-in for the rule about results that never come: fires on each accepted report without a result.
private struct ScriptedConsequence: LinkRule {
  var failing: [RuleExample] { [] }
  var passing: [RuleExample] { [] }
  var description: RuleDescription {
    RuleDescription(
      "RACP-004",
      name: "scripted",
      summary: "",
      rationale: "",
      remedy: "",
      clause: "",
      needs: [.bothDirections]
    )
  }

  func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    var findings: [Finding] = []
    for index in history.procedures.indices {
      let procedure = history.procedures[index]
      guard procedure.result == nil, procedure.answer != nil, procedure.outcome != .aborted else { continue }
      if case .refused = procedure.outcome { continue }
      let request = history.pdus[Int(procedure.request)]
      findings.append(
        Finding(
          "RACP-004",
          .error,
          .sensor,
          .likely,
          link: history.number,
          procedure: index,
          frames: [request.frame],
          time: request.time,
          key: "\(index)",
          message: "no result"
        )
      )
    }
    return findings.isEmpty ? .pass : .fail(findings)
  }
}

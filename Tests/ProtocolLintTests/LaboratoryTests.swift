import CaptureFiles
import LinkTrace
import ProtocolLint
import ReferenceCaptures
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
  ///
  /// What is said of the capture itself is left out: a recording may end where its maker stopped it.
  static let expected: [String: [Accusation]] = [
    "captures-collector/big.meter.btsnoop": [
      Accusation("CLK-002", "note", "undetermined", 4408)
    ],
    "captures-collector/big.btsnoop": [
      Accusation("CLK-002", "note", "undetermined", 2308)
    ],
    "captures/bluetoothd-sync.meter.btsnoop": [
      Accusation("APP-004", "note", "collector", 256)
    ],
    "captures/bluetoothd-sync.btsnoop": [
      Accusation("APP-004", "note", "collector", 354)
    ],
    "captures-collector/refetch.meter.btsnoop": [
      Accusation("EFF-001", "warning", "collector", 214)
    ],
    "captures-collector/refetch.btsnoop": [
      Accusation("EFF-001", "warning", "collector", 239)
    ],
    "captures-collector/delete-early.meter.btsnoop": [
      Accusation("RACP-019", "error", "collector", 140)
    ],
    "captures-collector/delete-early.btsnoop": [
      Accusation("RACP-019", "error", "collector", 173)
    ],
    "captures-collector/wrap.meter.btsnoop": [
      Accusation("SEQ-013", "note", "sensor", 186),
      Accusation("SEQ-008", "warning", "collector", 214),
    ],
    "captures-collector/wrap.btsnoop": [
      Accusation("SEQ-013", "note", "sensor", 194),
      Accusation("SEQ-008", "warning", "collector", 239),
    ],
    "captures-collector/ascii-text.btsnoop": [
      Accusation("RACP-012", "error", "collector", 155)
    ],
    "captures-collector/ascii-text.meter.btsnoop": [
      Accusation("RACP-012", "error", "collector", 111)
    ],
    "captures-collector/auth-ignored.btsnoop": [
      Accusation("SEC-002", "error", "collector", 118),
      Accusation("SEC-011", "warning", "sensor", 118),
    ],
    "captures-collector/auth-ignored.meter.btsnoop": [
      Accusation("SEC-002", "error", "collector", 76),
      Accusation("SEC-011", "warning", "sensor", 76),
    ],
    "captures-collector/bad-operand.btsnoop": [
      Accusation("RACP-011", "error", "collector", 155)
    ],
    "captures-collector/bad-operand.meter.btsnoop": [
      Accusation("RACP-011", "error", "collector", 111)
    ],
    "captures-collector/cccd-late.btsnoop": [
      Accusation("GATT-003", "warning", "collector", 146)
    ],
    "captures-collector/cccd-late.meter.btsnoop": [
      Accusation("GATT-003", "warning", "collector", 102)
    ],
    "captures-collector/idle.btsnoop": [
      Accusation("APP-001", "note", "collector", 157)
    ],
    "captures-collector/idle.meter.btsnoop": [
      Accusation("APP-001", "note", "collector", 111)
    ],
    "captures-collector/no-cccd.btsnoop": [
      Accusation("GATT-003", "error", "collector", 146)
    ],
    "captures-collector/no-cccd.meter.btsnoop": [
      Accusation("GATT-003", "error", "collector", 102)
    ],
    "captures-collector/norecords-loop.btsnoop": [
      Accusation("RACP-015", "note", "collector", 106)
    ],
    "captures-collector/norecords-loop.meter.btsnoop": [
      Accusation("RACP-015", "note", "collector", 57)
    ],
    "captures-collector/overlap-accepted.btsnoop": [
      Accusation("RACP-001", "error", "collector", 160),
      Accusation("RACP-002", "error", "sensor", 164),
    ],
    "captures-collector/overlap-accepted.meter.btsnoop": [
      Accusation("RACP-001", "error", "collector", 122),
      Accusation("RACP-002", "error", "sensor", 123),
    ],
    "captures-collector/overlap.btsnoop": [
      Accusation("RACP-001", "error", "collector", 160)
    ],
    "captures-collector/overlap.meter.btsnoop": [
      Accusation("RACP-001", "error", "collector", 122)
    ],
    "captures-collector/partial-resume.btsnoop": [
      Accusation("CONN-004", "note", "undetermined", 179)
    ],
    "captures-collector/partial-resume.meter.btsnoop": [
      Accusation("CONN-004", "note", "undetermined", 150)
    ],
    "captures-collector/partial-skip.btsnoop": [
      Accusation("CONN-004", "note", "undetermined", 179),
      Accusation("SEQ-007", "error", "collector", 216),
    ],
    "captures-collector/partial-skip.meter.btsnoop": [
      Accusation("CONN-004", "note", "undetermined", 150),
      Accusation("SEQ-007", "error", "collector", 173),
    ],
    "captures-collector/read-racp.btsnoop": [
      Accusation("GATT-010", "warning", "collector", 155)
    ],
    "captures-collector/read-racp.meter.btsnoop": [
      Accusation("GATT-010", "warning", "collector", 111)
    ],
    "captures-collector/silence.btsnoop": [
      Accusation("APP-003", "warning", "collector", 196)
    ],
    "captures-collector/silence.meter.btsnoop": [
      Accusation("APP-003", "warning", "collector", 188)
    ],
    "captures-collector/unconfirmed.btsnoop": [
      Accusation("GATT-008", "error", "collector", 195)
    ],
    "captures-collector/unconfirmed.meter.btsnoop": [
      Accusation("GATT-008", "error", "collector", 187)
    ],
    "captures-collector/write-command.btsnoop": [
      Accusation("GATT-002", "note", "sensor", 157),
      Accusation("GATT-011", "error", "collector", 155),
    ],
    "captures-collector/write-command.meter.btsnoop": [
      Accusation("GATT-002", "note", "sensor", 112),
      Accusation("GATT-011", "error", "collector", 111),
    ],
    "captures/fault-no-response.btsnoop": [
      Accusation("RACP-004", "error", "sensor", 175)
    ],
    "captures/fault-no-write-response.btsnoop": [
      Accusation("RACP-026", "note", "sensor", 172)
    ],
    "captures/fault-no-write-response.meter.btsnoop": [
      Accusation("RACP-026", "note", "sensor", 127)
    ],
    "captures/fault-response-before-records.btsnoop": [
      Accusation("RACP-027", "error", "sensor", 182)
    ],
    "captures/fault-response-before-records.meter.btsnoop": [
      Accusation("RACP-027", "error", "sensor", 138)
    ],
    "captures/fault-skip-seq.btsnoop": [
      Accusation("SEQ-004", "warning", "sensor", 186)
    ],
    "captures/fault-skip-seq.meter.btsnoop": [
      Accusation("SEQ-004", "warning", "sensor", 149)
    ],
    "captures/fault-wrong-count.btsnoop": [
      Accusation("RACP-009", "note", "sensor", 216)
    ],
    "captures/fault-wrong-count.meter.btsnoop": [
      Accusation("RACP-009", "note", "sensor", 208)
    ],
    "captures/fault-wrong-response-opcode.btsnoop": [
      Accusation("RACP-006", "error", "sensor", 216)
    ],
    "captures/fault-wrong-response-opcode.meter.btsnoop": [
      Accusation("RACP-006", "error", "sensor", 208)
    ],
    "captures/late-advertising.btsnoop": [
      Accusation("SEC-001", "error", "sensor", 133)
    ],
    "captures/late-advertising.meter.btsnoop": [
      Accusation("SEC-001", "error", "sensor", 103)
    ],
    "captures/link-loss-resume.btsnoop": [
      Accusation("CONN-004", "note", "undetermined", 127)
    ],
    "captures/link-loss-resume.meter.btsnoop": [
      Accusation("CONN-004", "note", "undetermined", 93)
    ],
    "captures/no-encryption.btsnoop": [
      Accusation("SEC-001", "error", "sensor", 133)
    ],
    "captures/no-encryption.meter.btsnoop": [
      Accusation("SEC-001", "error", "sensor", 91)
    ],
    "captures/passkey-pairing.btsnoop": [
      Accusation("SEC-006", "note", "collector", 197)
    ],
    "captures/passkey-pairing.meter.btsnoop": [
      Accusation("SEC-006", "note", "collector", 151)
    ],
    "captures/racp-errors.btsnoop": [
      Accusation("RACP-011", "error", "collector", 230),
      Accusation("RACP-011", "error", "collector", 236),
      Accusation("RACP-011", "error", "collector", 242),
      Accusation("RACP-011", "error", "collector", 248),
      Accusation("RACP-012", "error", "collector", 212),
      Accusation("RACP-012", "error", "collector", 218),
      Accusation("RACP-012", "error", "collector", 224),
      Accusation("RACP-016", "note", "undetermined", 298),
    ],
    "captures/racp-errors.meter.btsnoop": [
      Accusation("RACP-011", "error", "collector", 224),
      Accusation("RACP-011", "error", "collector", 230),
      Accusation("RACP-011", "error", "collector", 236),
      Accusation("RACP-011", "error", "collector", 242),
      Accusation("RACP-012", "error", "collector", 206),
      Accusation("RACP-012", "error", "collector", 212),
      Accusation("RACP-012", "error", "collector", 218),
      Accusation("RACP-016", "note", "undetermined", 294),
    ],
    "captures/refuse-pairing.btsnoop": [
      Accusation("SEC-005", "warning", "undetermined", 90)
    ],
    "captures/refuse-pairing.meter.btsnoop": [
      Accusation("SEC-005", "warning", "undetermined", 40)
    ],
    "captures/sec-low-then-raise.btsnoop": [
      Accusation("SEC-011", "warning", "sensor", 133)
    ],
    "captures/sec-low-then-raise.meter.btsnoop": [
      Accusation("SEC-011", "warning", "sensor", 91)
    ],
  ]

  /// Recordings that do not show enough for a rule.
  static let unjudged: [String: [String]] = [
    // Bonded reconnections without any discovery. The expectations have GATT-018 and SEQ-007 inconclusive for norecords-loop
    // as well: no record came in it that could carry an annunciation, and no report broke off, so neither has anything to
    // look at.
    "captures/incremental-bonded.btsnoop": [
      "GATT-001: nothing in the capture discovers the services of the sensor",
      "GATT-017: nothing in the capture discovers the services of the sensor",
    ],
    "captures/incremental-bonded.meter.btsnoop": [
      "GATT-001: nothing in the capture discovers the services of the sensor",
      "GATT-017: nothing in the capture discovers the services of the sensor",
    ],
    "captures-collector/norecords-loop.btsnoop": [
      "GATT-001: nothing in the capture discovers the services of the sensor",
      "GATT-017: nothing in the capture discovers the services of the sensor",
    ],
    "captures-collector/norecords-loop.meter.btsnoop": [
      "GATT-001: nothing in the capture discovers the services of the sensor",
      "GATT-017: nothing in the capture discovers the services of the sensor",
    ],
    "captures/slow-every-300ms.meter.btsnoop": [
      "GATT-001: nothing in the capture discovers the services of the sensor",
      "GATT-017: nothing in the capture discovers the services of the sensor",
      "VAL-006: the feature was not read on this link",
      "GATT-018: whether the feature was read before is not in the capture",
    ],
    "captures/slow-every-300ms.btsnoop": [
      "GATT-001: nothing in the capture discovers the services of the sensor",
      "GATT-017: nothing in the capture discovers the services of the sensor",
      "VAL-006: the feature was not read on this link",
      "GATT-018: whether the feature was read before is not in the capture",
    ],
    "captures/link-loss-resume.meter.btsnoop": [
      "GATT-001: nothing in the capture discovers the services of the sensor",
      "GATT-017: nothing in the capture discovers the services of the sensor",
      "VAL-006: the feature was not read on this link",
      "GATT-001: nothing in the capture discovers the services of the sensor",
      "GATT-017: nothing in the capture discovers the services of the sensor",
      "VAL-006: the feature was not read on this link",
      "GATT-018: whether the feature was read before is not in the capture",
    ],
    "captures/link-loss-resume.btsnoop": [
      "GATT-001: nothing in the capture discovers the services of the sensor",
      "GATT-017: nothing in the capture discovers the services of the sensor",
      "VAL-006: the feature was not read on this link",
      "GATT-001: nothing in the capture discovers the services of the sensor",
      "GATT-017: nothing in the capture discovers the services of the sensor",
      "VAL-006: the feature was not read on this link",
      "GATT-018: whether the feature was read before is not in the capture",
    ],
    "captures-collector/overlap-accepted.btsnoop": [
      "RACP-009: the count, or what came after the result, is not in the capture",
      "RACP-023: records of several procedures may be mixed",
      "SEQ-001: records of several procedures may be mixed",
      "SEQ-003: records of several procedures may be mixed",
      "SEQ-004: the count, or what came after the result, is not in the capture",
      "CLK-011: the first measurement may belong to another report",
    ],
    "captures-collector/overlap-accepted.meter.btsnoop": [
      "RACP-009: the count, or what came after the result, is not in the capture",
      "RACP-023: records of several procedures may be mixed",
      "SEQ-001: records of several procedures may be mixed",
      "SEQ-003: records of several procedures may be mixed",
      "SEQ-004: the count, or what came after the result, is not in the capture",
      "CLK-011: the first measurement may belong to another report",
    ],
    "captures-collector/partial-resume.btsnoop": ["VAL-006: the feature was not read on this link"],
    "captures-collector/partial-resume.meter.btsnoop": ["VAL-006: the feature was not read on this link"],
    "captures-collector/refetch.btsnoop": [
      "VAL-006: the feature was not read on this link",
      "VAL-006: the feature was not read on this link",
    ],
    "captures-collector/refetch.meter.btsnoop": [
      "VAL-006: the feature was not read on this link",
      "VAL-006: the feature was not read on this link",
    ],
    "captures-collector/wrap.btsnoop": ["VAL-006: the feature was not read on this link"],
    "captures-collector/wrap.meter.btsnoop": ["VAL-006: the feature was not read on this link"],
    "captures/fault-no-response.meter.btsnoop": [
      "CONN-002: the end of the link is not in the capture",
      "CONN-004: the end of the link is not in the capture",
      "RACP-004: the capture or the link ends 5 ms after the last sign of life of a request",
      "RACP-009: the count, or what came after the result, is not in the capture",
      "SEQ-004: the count, or what came after the result, is not in the capture",
      "APP-003: the end of the link is not in the capture",
    ],
    "captures/fault-no-write-response.btsnoop": [
      "GATT-015: the capture or the link ends, or another request follows, 1525 ms after a request"
    ],
    "captures/fault-no-write-response.meter.btsnoop": [
      "GATT-015: the capture or the link ends, or another request follows, 34 ms after a request"
    ],
  ]

  /// The meter's host stopped recording right after the last record: only the collector's file shows the silence.
  static let oneSided: Set<String> = ["captures/fault-no-response.btsnoop"]

  static var recordings: [String] {
    folders.flatMap { folder in
      Folder.laboratory.folder(folder).names(ending: ".btsnoop").map { "\(folder)/\($0)" }
    }
  }

  static func judge(
    _ recording: String,
    memory: TraceMemory = TraceMemory(),
    lookingEvery stride: Int? = nil
  ) throws -> Judgement {
    try Judgement(.path(Folder.laboratory.path(recording)), memory: memory, lookingEvery: stride)
  }
}

extension Judgement {
  /// What is said of the devices, not of the capture.
  fileprivate var conduct: [Finding] { findings.filter { $0.rule.area != "CAP" } }

  fileprivate var accusations: [Accusation] { conduct.map { Accusation($0) } }
}

@Test(.enabled(if: Folder.laboratory.isThere, "\(Folder.laboratory.absence)"))
func `the laboratory's recordings give exactly what is at fault in them`() throws {
  let recordings = Laboratory.recordings
  #expect(!recordings.isEmpty)
  for recording in recordings {
    let judged = try Laboratory.judge(recording)
    #expect(judged.accusations == Laboratory.expected[recording] ?? [], "\(recording)")
    let unjudged = judged.inconclusive.map { "\($0.rule): \($0.reason)" }
    #expect(unjudged == Laboratory.unjudged[recording] ?? [], "\(recording)")
  }
  let missing = Laboratory.expected.keys.filter { !recordings.contains($0) }
  #expect(missing.isEmpty)
}

@Test(.enabled(if: Folder.laboratory.isThere, "\(Folder.laboratory.absence)"))
func `both ends of a laboratory link tell the same story`() throws {
  let recordings = Laboratory.recordings
  #expect(!recordings.isEmpty)
  for recording in recordings where !recording.hasSuffix(".meter.btsnoop") {
    let meter = recording.dropLast(".btsnoop".count) + ".meter.btsnoop"
    guard recordings.contains(String(meter)), !Laboratory.oneSided.contains(recording) else { continue }
    let collector = try Laboratory.judge(recording).conduct
    let sensor = try Laboratory.judge(String(meter)).conduct
    #expect(collector.map(\.fingerprint) == sensor.map(\.fingerprint), "\(recording)")
    #expect(collector.map(\.level) == sensor.map(\.level), "\(recording)")
    #expect(collector.map(\.consequences) == sensor.map(\.consequences), "\(recording)")
  }
}

@Test(.enabled(if: Folder.laboratory.isThere, "\(Folder.laboratory.absence)"))
func `a link that is up is accused of nothing that its end takes back`() throws {
  let recordings = Laboratory.recordings
  #expect(!recordings.isEmpty)
  var looks = 0
  for recording in recordings {
    let judged = try Laboratory.judge(recording, lookingEvery: 50)
    looks += judged.early.count
    #expect(judged.hasty == nil, "\(recording)")
    #expect(judged.accusations == Laboratory.expected[recording] ?? [], "\(recording)")
  }
  #expect(looks > recordings.count)
}

@Test(.enabled(if: Folder.laboratory.isThere, "\(Folder.laboratory.absence)"))
func `what an overlap or a silence brings about is not accused beside it`() throws {
  let scenes = [
    "overlap", "overlap-accepted", "silence", "partial-skip", "partial-resume", "delete-early", "abort-ok",
  ]
  let consequence = ScriptedConsequence()
  for scene in scenes {
    for suffix in ["", ".meter"] {
      let path = Folder.laboratory.path("captures-collector/\(scene)\(suffix).btsnoop")
      let plain = try Judgement(.path(path))
      let judged = try Judgement(.path(path), rules: [consequence] + RuleRegistry.rules)
      let roots = judged.findings.filter { $0.rule != consequence.description.identifier }
      #expect(roots.map(\.fingerprint) == plain.findings.map(\.fingerprint))
      #expect(judged.findings.count == roots.count, "\(scene)\(suffix)")
      let listed = roots.flatMap(\.consequences).filter { $0.rule == consequence.description.identifier }
      let unfinished = scene == "silence" || scene.hasPrefix("partial") ? 1 : 0
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

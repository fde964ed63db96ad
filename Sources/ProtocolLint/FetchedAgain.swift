import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// EFF-001: each time the whole history is fetched again.
public struct FetchedAgain: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "EFF-001",
    name: "full-refetch",
    summary: "on each link the collector fetches all records again although it has nearly all of them",
    rationale: """
      A full meter takes half a minute of radio each time, drains its coin cell, and breaks off the more often the \
      longer it takes. The profile asks a collector to remember the last number.
      """,
    remedy: """
      Keep the highest number of a report that ended with success, and ask for records from that number + 1.
      """,
    clause: "GLP 4.7.3 (C7)",
    needs: [.bothDirections, .noLoss, .whole, .start, .identity],
    explains: ["APP-004"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "everything on each of three links",
        "refetched-twice",
        [
          .firstArrival, .fetch(.all, 1...12), .farewell, .later(minutes: 60), .bondedArrival, .marked(.report(.all)),
          .accept, .records(1...12), .result(.report, .success), .confirm, .farewell, .later(minutes: 60),
          .bondedArrival, .fetch(.all, 1...13), .farewell,
        ]
      ),
      RuleExample(
        .note,
        "everything once more",
        "refetched-once",
        [
          .firstArrival, .fetch(.all, 1...12), .farewell, .later(minutes: 60), .bondedArrival, .marked(.report(.all)),
          .accept, .records(1...12), .result(.report, .success), .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "only what is new",
        "fetched-new",
        [
          .firstArrival, .fetch(.all, 1...12), .farewell, .later(minutes: 60), .bondedArrival,
          .fetch(.atLeast(13), 13...15), .farewell, .later(minutes: 60), .bondedArrival,
          .fetchNothing(.atLeast(16)), .farewell,
        ]
      ),
      RuleExample(
        "everything again after a new bond",
        "refetched-after-bonding",
        [
          .firstArrival, .fetch(.all, 1...12), .farewell, .later(minutes: 60), .arrival, .encrypt(status: 0x06),
          .wait(milliseconds: 2000), .pair(), .subscribe(), .fetch(.all, 1...12), .farewell,
          .later(minutes: 60), .bondedArrival, .fetchNothing(.atLeast(13)), .farewell,
        ]
      ).alongside("SEC-004"),
      RuleExample(
        "everything once the count has begun anew, under the same numbers",
        "refetched-after-restart",
        [
          .firstArrival, .fetch(.all, 1...12), .farewell, .later(minutes: 60), .selectMeter(Self.renewed),
          .bondedArrival, .fetch(.all, 1...5), .farewell, .later(minutes: 60), .bondedArrival,
          .fetch(.atLeast(6), 6...7), .farewell,
        ]
      ).alongside("SEQ-009"),
    ]
  }

  private static let renewed: Meter = {
    var meter = Meter()
    meter.firstBaseTime += 86_400 * 10
    return meter
  }()

  /// What one collector fetched again, and where.
  private struct Again {
    var original: DeviceStep
    var steps: [DeviceStep] = []
    var records: UInt32 = 0
    var known: UInt32 = 0
    var links: Set<Int> = []
  }

  /// What says that a request will not be carried out, rightly or not.
  private static let refusals: Set<RecordAccessResponseValue> = [
    .opCodeNotSupported, .invalidOperator, .operatorNotSupported, .invalidOperand, .operandNotSupported,
  ]

  /// Fewer records are no cost.
  private static let least = 3

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    guard device.links.count > 1 else { return .notApplicable }
    var findings: [Finding] = []
    var wasJudged = false
    for series in subject.numbered {
      var finished = SequenceSet()
      var original: DeviceStep?
      var again: Again?
      var bond = -1
      var restarts = 0
      var isRefused = false
      for step in series.steps {
        let isNewBond = subject.standings[step.link].bond != bond
        if isNewBond || subject.restarts(by: step, device) != restarts {
          if let again, again.links.count > 0 { findings.append(finding(again, isRefused, device, subject)) }
          bond = subject.standings[step.link].bond
          restarts = subject.restarts(by: step, device)
          finished = SequenceSet()
          original = nil
          again = nil
        }
        let procedure = device.procedure(step)
        guard procedure.opCode == .report, !procedure.isMixed else { continue }
        if case .failed(let value) = procedure.outcome, case .atLeast = subject.request(step).selection {
          isRefused = isRefused || Self.refusals.contains(value)
        }
        if let original, step.link != original.link, let start = subject.start(step) {
          wasJudged = true
          if start <= finished.minimum ?? 0, procedure.sequences.count >= UInt64(Self.least) {
            let known = overlap(procedure.sequences, finished) - changed(on: step.link, device)
            if known * 10 >= Int(procedure.sequences.count) * 9 {
              var found = again ?? Again(original: original)
              found.steps.append(step)
              found.records += procedure.records
              found.known += UInt32(clamping: known)
              found.links.insert(step.link)
              again = found
            }
          }
        }
        if case .success = procedure.outcome, !procedure.sequences.isEmpty {
          if original == nil { original = step }
          finished.formUnion(procedure.sequences)
        }
      }
      if let again { findings.append(finding(again, isRefused, device, subject)) }
    }
    if !findings.isEmpty { return .fail(findings) }
    return subject.outcome(wasJudged: wasJudged) { $0.hasRepetition(device) }
  }

  private func overlap(_ numbers: SequenceSet, _ others: SequenceSet) -> Int {
    var count = 0
    for range in numbers.ranges { count += others.count(in: range) }
    return count
  }

  /// Records that came on a link with another content than before.
  private func changed(on link: Int, _ device: borrowing DeviceHistory) -> Int {
    device.records.changes.count { $0.new.link == UInt32(link) }
  }

  private func finding(
    _ again: Again,
    _ isRefused: Bool,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Finding {
    let first = again.steps[0]
    let original = device.procedure(again.original)
    let links = again.links.count + 1
    // Files that are given together may be tests of their own: a habit is what one of them shows.
    var sessions: [UInt16: Int] = [:]
    for link in again.links.union([again.original.link]) { sessions[device.links[link].file, default: 0] += 1 }
    let isHabit = sessions.values.contains { $0 >= 3 }
    var others: [(link: Int, frame: UInt32)] = [
      (again.original.link, original.requestFrame), (again.original.link, original.resultFrame),
    ]
    for step in again.steps.dropFirst() {
      others.append((step.link, device.procedure(step).requestFrame))
      others.append((step.link, device.procedure(step).lastRecordFrame))
    }
    let total = again.records &+ original.records
    return device.finding(
      "EFF-001",
      isHabit && !isRefused ? .warning : .note,
      .collector,
      sessions.count == 1 ? .certain : .likely,
      link: first.link,
      step: first,
      frames: [device.procedure(first).requestFrame, device.procedure(first).lastRecordFrame],
      others: others,
      key: hex(subject.request(first).octets),
      message: "\(subject.quoted(first)) sent after all had been fetched: on \(countText(links, "link")) in all, "
        + "\(again.known) of the \(countText(Int(total), "record")) sent were known",
      evidence: [
        "fetched with success in "
          + device.frameText(original.requestFrame, of: again.original.link, from: first.link)
          + ": numbers \(original.sequences.minimum ?? 0)–\(original.sequences.maximum ?? 0)",
        isRefused
          ? "the sensor has refused a request for records from a number on"
          : "a request from number \((original.sequences.maximum ?? 0) + 1) on would have brought the new ones alone",
      ]
    )
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-015: the same request again and again, although nothing is found.
public struct NothingAskedAgain: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-015",
    name: "no-records-loop",
    summary: "the collector repeats a request within a minute although the sensor has no such record",
    rationale: """
      "No records found" is the normal end of an incremental fetch. An app that takes it for a failure and tries again \
      keeps the link busy, drains the meter and shows its user an error where all is well.
      """,
    remedy: """
      Collector: take 06 (no records found) as success with nothing new, and ask again on the next link or when the \
      user asks.
      """,
    clause: "good practice; GLS 3.4.3.4 (S23)",
    needs: [.bothDirections, .noLoss, .whole, .steadyClock]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "three times within two seconds",
        "three-times",
        [
          .firstArrival, .marked(.report(.atLeast(31))), .accept, .result(.report, .noRecordsFound), .confirm,
          .wait(milliseconds: 500), .fetchNothing(.atLeast(31)), .wait(milliseconds: 500),
          .fetchNothing(.atLeast(31)), .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "nothing new is found, once",
        "nothing-new",
        [.firstArrival, .fetch(.all, 1...6), .fetchNothing(.atLeast(7)), .farewell]
      ),
      RuleExample(
        "twice, and then from another number on",
        "another-number",
        [
          .firstArrival, .fetchNothing(.atLeast(31)), .fetchNothing(.atLeast(31)), .fetchNothing(.atLeast(30)),
          .farewell,
        ]
      ),
    ]
  }

  /// Longer pauses are no loop. Microseconds.
  private static let pause: Int64 = 60_000_000

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard !history.procedures.isEmpty else { return .notApplicable }
    let empty = history.procedures.indices.filter { history.procedures[$0].outcome == .noRecords }
    guard empty.count > 2 else { return .pass }
    var findings: [Finding] = []
    for found in RequestCase.grouped(empty, subject) {
      let run = longestRun(found.procedures, history)
      guard run.count > 2 else { continue }
      let first = history.procedures[run[0]]
      let span = history.procedures[run[run.count - 1]].startTime - first.startTime
      let loop = RequestCase(octets: found.octets, procedures: run)
      var finding = loop.finding(
        "RACP-015",
        .note,
        .collector,
        .certain,
        message: "sent \(subject.quoted(run[0])) again within \(durationText(span)) although nothing was found",
        evidence: [
          "first asked in frame \(history.frame(first.request)), "
            + "answered with no records found in frame \(history.frame(first.result ?? first.request))"
        ],
        history
      ) { $0.request }
      // The last answer makes it a loop.
      if let result = history.procedures[run[run.count - 1]].result {
        finding.add(frame: history.frame(result))
      }
      findings.append(finding)
    }
    return findings.isEmpty ? .pass : .fail(findings)
  }

  /// The longest row of requests of which each follows the one before within a minute.
  private func longestRun(_ procedures: [Int], _ history: borrowing LinkHistory) -> [Int] {
    var longest: [Int] = []
    var run: [Int] = []
    for index in procedures {
      if let last = run.last,
        history.procedures[index].startTime - history.procedures[last].startTime >= Self.pause
      {
        run = []
      }
      run.append(index)
      if run.count > longest.count { longest = run }
    }
    return longest
  }
}

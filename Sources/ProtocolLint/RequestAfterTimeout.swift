import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-031: a request on a link on which another one has timed out.
public struct RequestAfterTimeout: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-031",
    name: "request-after-timeout",
    summary: "the collector sends another request on a link on which one has run into its timer of 30 s",
    rationale: """
      The sensor may still be busy with the first request. Its late result would be taken for that of the second, and \
      a part of the records for all of them.
      """,
    remedy: """
      Collector: after 30 s without record or result end the link, connect again, and ask there with a filter that \
      starts behind the last record that came.
      """,
    clause: "GLP 4.7.5.1 (C12)",
    needs: [.bothDirections, .noLoss, .steadyClock],
    explains: ["RACP-001", "APP-008"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "no result in 40 s, and the collector asks again",
        "asks-again",
        [
          .firstArrival, .report(.all), .accept, .records(1...3), .wait(milliseconds: 40_000),
          .marked(.report(.atLeast(4))), .accept, .records(5...6), .result(.report, .success), .confirm, .farewell,
        ]
      ).alongside("RACP-004"),
      RuleExample(
        .error,
        "the timed-out report is aborted without an answer, and everything is asked for again",
        "aborts-and-asks-again",
        [
          .firstArrival, .report(.all), .accept, .records(1...24), .wait(milliseconds: 33_000), .abort, .accept,
          .wait(milliseconds: 2000), .marked(.report(.all)), .accept, .records(1...24), .result(.report, .success),
          .confirm, .farewell,
        ]
      ).alongside("RACP-004"),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "no result in 40 s, and the collector asks on a new link",
        "new-link",
        [
          .firstArrival, .report(.all), .accept, .records(1...3), .wait(milliseconds: 40_000), .disconnect(),
          .later(minutes: 1), .bondedArrival, .fetch(.atLeast(4), 5...6), .farewell,
        ]
      ).alongside("RACP-004")
    ]
  }

  /// The timer and a second for the logger. Microseconds.
  private static let limit = ProcedureTimer.limit

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard !history.procedures.isEmpty else { return .notApplicable }
    var findings: [Finding] = []
    var reason: String?
    for index in history.procedures.indices where history.procedures[index].outcome == .unanswered {
      let expired = history.procedures[index]
      guard history.wasAccepted(expired), !subject.standings[index].isOverlapping,
        let next = next(after: index, history)
      else { continue }
      let waited = history.procedures[next].startTime - expired.lastActivity
      if waited < Self.limit { continue }
      // A result that crosses the next request in the air came in between for the sensor.
      let isOff = subject.hidesResult(of: index, until: history.procedures[next].request, history)
      let mayHaveCome =
        history.procedures[next].startedBeforeAnswer
        || history.unaskedResults.contains {
          $0 > history.procedures[index].request && $0 < history.procedures[next].start
        }
      if isOff || subject.hidesPDUs || mayHaveCome {
        reason = "the result may have come in between"
      } else if findings.count < Finding.frameLimit {
        findings.append(finding(index, next, waited, history, subject))
      }
    }
    if findings.isEmpty { return reason.map { .inconclusive($0) } ?? .pass }
    return .fail(findings)
  }

  private func next(after index: Int, _ history: borrowing LinkHistory) -> Int? {
    let expired = history.procedures[index]
    return history.procedures.indices[(index + 1)...].first {
      history.procedures[$0].controlPoint == expired.controlPoint && history.procedures[$0].server == expired.server
        && history.procedures[$0].opCode != .abort
    }
  }

  private func finding(
    _ index: Int,
    _ next: Int,
    _ waited: Int64,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let expired = history.procedures[index]
    let request = history.procedures[next].request
    return Finding(
      "RACP-031",
      subject.isGlucose ? .error : .note,
      .collector,
      .certain,
      link: history.number,
      procedure: next,
      otherProcedures: [index],
      frames: [history.frame(request), history.frame(expired.request)],
      time: history.time(request),
      key: hex(subject.requests[next].octets) + " after " + hex(subject.requests[index].octets),
      message: "sent \(subject.quoted(next)) \(durationText(waited)) after the last sign of life of "
        + "\(subject.quoted(index)), which never got its result",
      evidence: [
        "\(subject.requests[index].summary) in frame \(history.frame(expired.request)), "
          + "\(countText(Int(expired.records), "record")), no result",
        "the timer of the profile is 30 s; after it a new link is due",
      ]
    )
  }
}

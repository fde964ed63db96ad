import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// APP-009: the collector does nothing about an error result.
public struct ErrorResultIgnored: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "APP-009",
    name: "error-result-ignored",
    summary: "the collector leaves, or waits, after an error result without another request, and has got no record",
    rationale: """
      An error result tells what this sensor lacks. An app that stops there never gets the records, although a request \
      that every sensor supports would bring them. Where a request before had brought records they may be all that was \
      wanted: nothing is said then.
      """,
    remedy: """
      Collector: after 02, 04 or 09 ask with all records, or with sequence numbers from a minimum on; after 08 ask \
      again for what has not come.
      """,
    clause: "good practice; GLP 4.7.2, GLP 4.7.3 (C7)",
    needs: [.bothDirections, .noLoss, .whole, .steadyClock]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "an optional operator is not supported, and the collector leaves",
        "leaves-after-error",
        [
          .firstArrival, .report(.atMost(6)), .accept, .marked(.result(.report, .operatorNotSupported)), .confirm,
          .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "an optional operator is not supported, and the collector asks for all",
        "asks-for-all",
        [
          .firstArrival, .report(.atMost(6)), .accept, .result(.report, .operatorNotSupported), .confirm,
          .fetch(.all, 1...6), .farewell,
        ]
      ),
      RuleExample(
        "the newest record has come, and the oldest cannot be asked for",
        "has-what-it-wanted",
        [
          .firstArrival, .fetch(.last, 6...6), .report(.first), .accept, .result(.report, .operatorNotSupported),
          .confirm, .farewell,
        ]
      ),
    ]
  }

  /// Longer than an app thinks. Microseconds.
  private static let patience: Int64 = 20_000_000

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard let last = history.procedures.last, last.dialect == .health, history.sensor != nil else {
      return .notApplicable
    }
    let index = history.procedures.count - 1
    guard case .failed(let value) = last.outcome, last.opCode == .report || last.opCode == .count,
      value != .serverBusy, subject.requests[index].isWellFormed, let result = last.result,
      // What came before may be all that was wanted.
      !history.procedures.contains(where: { $0.records > 0 && $0.outcome == .success })
    else { return .pass }
    if case .unknown = value { return .pass }
    if history.start == nil { return .inconclusive("whether records had come before the capture began is not known") }
    let hasLeft = subject.departure.by == .collector
    let waited = (hasLeft ? subject.departure.time : subject.watchedUntil) - history.time(result)
    if !hasLeft && waited < Self.patience {
      let isOver = history.end.cause == .disconnected
      return isOver ? .pass : .inconclusive("the capture ends \(durationText(waited)) after the error result")
    }
    let found = RequestCase(octets: subject.requests[index].octets, procedures: [index])
    return .fail([
      found.finding(
        "APP-009",
        .note,
        .collector,
        .likely,
        message:
          "\(subject.quoted(index)) was answered \"\(value.name)\"; "
          + (hasLeft
            ? "left \(durationText(waited)) later without another request"
            : "asked for nothing more in \(durationText(waited))"),
        evidence: [
          "result \(octetText(history.resultOctets(last))) in frame \(history.frame(result)); no request followed, and no "
            + "record had come"
        ],
        history
      ) { $0.result ?? $0.request }
    ])
  }
}

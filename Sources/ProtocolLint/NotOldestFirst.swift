import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// SEQ-003: records of a report do not come oldest first.
public struct NotOldestFirst: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "SEQ-003",
    name: "not-oldest-first",
    summary: "the sensor sends a record behind a younger one in the same report",
    rationale: """
      A collector resumes a broken transfer from the highest number it has. Where younger records come first, the \
      older ones that had not come yet are skipped for ever.
      """,
    remedy: """
      Sensor: send records in ascending order of their sequence numbers, also after a wrap of the memory.
      """,
    clause: "GLS 3.5 (S30)",
    needs: [.bothDirections, .noLoss]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "newest first",
        "newest-first",
        [
          .firstArrival, .report(.all), .accept, .record(5), .marked(.record(3)), .record(2), .record(1),
          .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "number 3 comes behind number 5",
        "one-behind",
        [
          .firstArrival, .report(.all), .accept, .records(1...2), .record(5), .marked(.record(3)), .records(6...7),
          .result(.report, .success), .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "oldest first, with a gap",
        "oldest-first",
        [
          .firstArrival, .report(.all), .accept, .records(1...2), .records(5...7), .result(.report, .success), .confirm,
          .farewell,
        ]
      ),
      RuleExample(
        "a reading taken while the report runs",
        "reading-in-between",
        [
          .firstArrival, .report(.all), .accept, .records(1...2), .record(7), .records(3...6),
          .result(.report, .success), .confirm, .farewell,
        ]
      ),
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    var isJudged = false
    var reason: String?
    for index in history.procedures.indices where history.procedures[index].records > 1 {
      isJudged = true
      let standing = subject.standings[index]
      if history.procedures[index].descents > 0 && (!standing.isClear || standing.mayInheritRecords) {
        reason = "records of several procedures may be mixed"
      }
    }
    guard isJudged else { return .notApplicable }
    var findings: [Finding] = []
    for order in subject.transfers where !subject.standings[order.procedure].mayInheritRecords {
      if let place = order.behind.places.first {
        findings.append(finding(order, place, history, subject))
      } else if order.isUnclear {
        reason = "the logger cut the records"
      } else if order.isExcused && history.procedures[order.procedure].result == nil {
        reason = "the report is not over"
      }
    }
    if findings.isEmpty { return reason.map { .inconclusive($0) } ?? .pass }
    return .fail(findings)
  }

  private func finding(
    _ order: TransferOrder,
    _ place: UInt32,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let count = countText(order.behind.count, "record")
    return Finding(
      "SEQ-003",
      .error,
      .sensor,
      .certain,
      link: history.number,
      procedure: order.procedure,
      frames: order.behind.places.map { history.frame($0) },
      omitted: order.behind.omitted,
      time: history.time(place),
      key: hex(subject.requests[order.procedure].octets),
      message: (order.isNewestFirst ? "sent \(subject.quoted(order.procedure)) newest first: " : "sent ")
        + "\(count) behind a younger one" + (order.isNewestFirst ? "" : " in \(subject.quoted(order.procedure))")
        + ", the first \(history.recordName(place))",
      evidence: [history.octetsText(place), "neither its number nor its base time is above that of the record before"]
    )
  }
}

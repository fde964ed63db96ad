import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-023: a report begins again from its first record instead of ending.
public struct RunawayTransfer: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-023",
    name: "runaway-transfer",
    summary: "the sensor starts again from the first record inside one report",
    rationale: """
      The read position wraps instead of stopping, and the report never ends by itself. The app counts more and more \
      records, and its user sees a progress bar that goes on for ever.
      """,
    remedy: """
      Sensor: fix the last record when the report begins, and indicate success when it has been sent.
      """,
    clause: "GLS 3.4.3.4 (S22)",
    needs: [.bothDirections, .noLoss],
    explains: ["SEQ-001", "SEQ-003", "RACP-009", "APP-003"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "six records come, and the first three again",
        "starts-again",
        [
          .firstArrival, .report(.all), .accept, .records(1...6), .marked(.record(1)), .records(2...3),
          .result(.report, .success), .confirm, .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the same records in two reports",
        "two-reports",
        [.firstArrival, .fetch(.all, 1...6), .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard history.procedures.contains(where: { $0.records > 0 }) else { return .notApplicable }
    var findings: [Finding] = []
    var reason: String?
    for index in history.procedures.indices
    where history.procedures[index].duplicates > 0 && !subject.standings[index].isClear {
      reason = "records of several procedures may be mixed"
    }
    for order in subject.transfers {
      guard let place = order.restarts.places.first else {
        if order.isUnclear { reason = "the logger cut the records" }
        if order.isUndecided && history.procedures[order.procedure].result == nil { reason = "the report is not over" }
        continue
      }
      let procedure = history.procedures[order.procedure]
      findings.append(
        Finding(
          "RACP-023",
          .error,
          .sensor,
          .certain,
          link: history.number,
          procedure: order.procedure,
          frames: order.restarts.places.map { history.frame($0) }
            + [history.frame(procedure.firstRecord ?? procedure.request)],
          omitted: order.restarts.omitted,
          time: history.time(place),
          key: hex(subject.requests[order.procedure].octets),
          message: "started again from \(history.recordName(place)) in \(subject.quoted(order.procedure)), "
            + timesText(order.restarts.count)
            + "; \(procedure.records) deliveries of \(countText(Int(procedure.sequences.count), "record"))",
          evidence: [
            "first sent in frame \(history.frame(procedure.firstRecord ?? procedure.request)), "
              + "again with the same content in frame \(history.frame(place))"
          ]
        )
      )
    }
    if findings.isEmpty { return reason.map { .inconclusive($0) } ?? .pass }
    return .fail(findings)
  }
}

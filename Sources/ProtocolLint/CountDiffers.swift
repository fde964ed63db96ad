import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-009: another number of records comes than was counted.
public struct CountDiffers: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-009",
    name: "count-differs",
    summary: "a report delivers another number of records than the sensor counted just before",
    rationale: """
      The count is an estimate, and a reading may be taken or deleted between the two. An app that waits for the \
      counted number instead of the result hangs, or stops early.
      """,
    remedy: """
      Sensor: count what a report of the same filter would send. Collector: use the count for a progress bar only.
      """,
    clause: "GLP 4.7.3, GLP 4.7.3.2 (C11)",
    needs: [.bothDirections, .noLoss, .whole]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "seven are counted and six come",
        "one-less",
        [
          .firstArrival, .ask(answer: 7), .report(.all), .accept, .records(1...6),
          .marked(.result(.report, .success)), .confirm, .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "as many come as were counted",
        "as-many",
        [.firstArrival, .ask(answer: 6), .fetch(.all, 1...6), .farewell]
      ),
      RuleExample(
        "one more comes: a reading was taken in between",
        "one-more",
        [.firstArrival, .ask(answer: 6), .fetch(.all, 1...7), .farewell]
      ),
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard history.procedures.contains(where: { $0.opCode == .report }) else { return .notApplicable }
    var findings: [Finding] = []
    for index in history.procedures.indices {
      guard let compared = CountedRecords(index, history, subject), compared.counted != compared.delivered,
        compared.counted + 1 != compared.delivered
      else { continue }
      let procedure = history.procedures[index]
      let result = procedure.result ?? procedure.request
      let count = history.procedures[compared.count]
      findings.append(
        Finding(
          "RACP-009",
          .note,
          .sensor,
          .certain,
          link: history.number,
          procedure: index,
          otherProcedures: [compared.count],
          frames: [history.frame(result), history.frame(count.result ?? count.request)],
          time: history.time(result),
          key: "\(hex(subject.requests[index].octets)) \(compared.counted) \(compared.delivered)",
          message:
            "counted \(compared.counted) and delivered \(countText(Int(compared.delivered), "record")) in \(subject.quoted(index))",
          evidence: [
            "counted in frame \(history.frame(count.result ?? count.request)), success in frame \(history.frame(result))",
            "the count is an estimate: nobody need be at fault",
          ]
        )
      )
    }
    if !findings.isEmpty { return .fail(findings) }
    return CountedRecords.doubt(history, subject).map { .inconclusive($0) } ?? .pass
  }
}

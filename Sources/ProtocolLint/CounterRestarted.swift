import HealthProfiles
public import LinkTrace
import Scenarios

/// SEQ-009: the sequence numbers of new records are not above those of old ones.
public struct CounterRestarted: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "SEQ-009",
    name: "counter-restarted",
    summary: "a newer record has a number that is not above those of older records",
    rationale: """
      Numbers must go on over deletes, battery changes and updates; only a catastrophic loss of memory may reset them. \
      A collector that asks from its mark + 1 gets nothing any more until the numbers have grown past it.
      """,
    remedy: """
      Keep the counter in memory that survives a battery change. A collector that sees a record with a lower number \
      and a later time drops its mark and fetches all.
      """,
    clause: "GLS 3.1.1.2 (S9)",
    needs: [.bothDirections, .noLoss, .whole, .identity],
    explains: ["SEQ-002", "SEQ-003", "CLK-003"]
  )

  private static var renewed: Meter {
    var meter = Meter()
    meter.firstSequenceNumber = 0
    meter.firstBaseTime += 86_400 * 10
    return meter
  }

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "the numbers start at 0 again",
        "restarted-at-zero",
        [
          .firstArrival, .fetch(.all, 1...20), .farewell, .later(minutes: 60), .selectMeter(Self.renewed),
          .bondedArrival, .fetchNothing(.atLeast(21)), .report(.all), .accept, .marked(.record(0, withContext: false)),
          .records(1...3), .result(.report, .success), .confirm, .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the numbers go on",
        "numbers-go-on",
        [
          .firstArrival, .fetch(.all, 1...20), .farewell, .later(minutes: 60), .bondedArrival,
          .fetch(.atLeast(21), 21...24), .farewell,
        ]
      )
    ]
  }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    guard !device.records.isEmpty else { return .notApplicable }
    let groups = subject.perBond(device.records.restarts)
    return groups.isEmpty ? .pass : .fail(groups.map { finding($0, device) })
  }

  private func finding(_ restarts: [RecordChange], _ device: borrowing DeviceHistory) -> Finding {
    let first = restarts[0]
    return device.finding(
      "SEQ-009",
      .warning,
      .likely,
      restarts,
      key: "restart",
      message: "number \(first.new.sequence) of \(first.new.baseTime) is newer than number \(first.old.sequence) of "
        + "\(first.old.baseTime): the count began anew"
    ) { before in
      [
        "number \(first.old.sequence) came in " + before,
        "only a catastrophic loss of memory may reset the numbers; records from before it that were not fetched "
          + "can no longer be told apart",
      ]
    }
  }
}

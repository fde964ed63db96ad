import HealthProfiles
public import LinkTrace
import Scenarios

/// SEQ-002: one number, two records.
public struct NumberReused: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "SEQ-002",
    name: "number-reused",
    summary: "a sequence number comes again with another base time or another result",
    rationale: """
      The number is what a collector knows a record by. Where it stands for two records, one of them is thrown away \
      as known or written over.
      """,
    remedy: """
      Give each measurement a number of its own and never use it again, also after a delete.
      """,
    clause: "GLS 3.1.1.2 (S9)",
    needs: [.bothDirections, .noLoss, .whole, .identity],
    explains: ["CLK-003"]
  )

  private static var other: Meter {
    var meter = Meter()
    meter.seed = 5
    return meter
  }

  private static var later: Meter {
    var meter = Meter()
    meter.firstBaseTime += 86_400
    return meter
  }

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "a number comes with another result",
        "another-result",
        [
          .firstArrival, .fetch(.all, 1...8), .farewell, .later(minutes: 60), .selectMeter(Self.other),
          .bondedArrival, .report(.atLeast(8)), .accept, .marked(.record(8, withContext: false)),
          .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "a number comes again for a later reading, and the next one is as before",
        "another-time",
        [
          .firstArrival, .fetch(.all, 1...11), .farewell, .later(minutes: 60), .selectMeter(Self.later),
          .bondedArrival, .report(.atLeast(7)), .accept, .marked(.record(7, withContext: false)),
          .selectMeter(Meter()), .records(8...11), .result(.report, .success), .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the same record once more",
        "same-record",
        [
          .firstArrival, .fetch(.all, 1...8), .farewell, .later(minutes: 60), .bondedArrival,
          .fetch(.atLeast(8), 8...8), .farewell,
        ]
      )
    ]
  }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    guard !device.records.isEmpty else { return .notApplicable }
    let changes = device.records.changes.filter { change in
      let restart = device.records.restarts.first { subject.isOneBond($0.new.link, change.new.link) }?.new.link ?? .max
      return change.new.link < restart && change.old.link <= change.new.link
    }
    let groups = subject.perBond(changes)
    return groups.isEmpty ? .pass : .fail(groups.map { finding($0, device) })
  }

  private func finding(_ changes: [RecordChange], _ device: borrowing DeviceHistory) -> Finding {
    let first = changes[0]
    let what =
      first.old.time == first.new.time
      ? "another result at the same base time \(first.new.baseTime)"
      : "base time \(first.new.baseTime) instead of \(first.old.baseTime)"
    return device.finding(
      "SEQ-002",
      .error,
      .certain,
      changes,
      key: "number",
      message: "number \(first.new.sequence) comes again with \(what)"
    ) { before in
      ["it came first in " + before, "\(countText(changes.count, "number")) changed"]
    }
  }
}

import HealthProfiles
public import LinkTrace
import Scenarios

/// CLK-004: a stored record comes again with another time offset.
public struct RecordRetimed: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "CLK-004",
    name: "stored-record-retimed",
    summary: "a stored record comes again with another time offset",
    rationale: """
      A change of the clock must leave the records that are stored alone. Where it moves them, the same reading stands \
      in two diaries at two times.
      """,
    remedy: """
      Store the time offset with each record, and let a clock change alter only that of later ones.
      """,
    clause: "GLS 3.1.1.4 (S12)",
    needs: [.bothDirections, .noLoss, .whole, .start, .identity]
  )

  private static var moved: Meter {
    var meter = Meter()
    meter.timeOffset = -180
    return meter
  }

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "all stored records follow a change of the clock",
        "records-moved",
        [
          .firstArrival, .fetch(.all, 1...8), .farewell, .later(minutes: 60), .selectMeter(Self.moved),
          .bondedArrival, .report(.atLeast(7)), .accept, .marked(.record(7)), .records(8...9),
          .result(.report, .success), .confirm, .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "only later records have the new offset",
        "later-records-moved",
        [
          .selectMeter(Self.changed), .firstArrival, .fetch(.all, 1...8), .farewell, .later(minutes: 60),
          .bondedArrival, .fetch(.atLeast(8), 8...10), .farewell,
        ]
      )
    ]
  }

  private static var changed: Meter {
    var meter = Meter()
    meter.clockChange = Meter.ClockChange(from: 9, timeOffset: -180)
    return meter
  }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    guard !device.records.isEmpty else { return .notApplicable }
    let moves = device.records.moves.filter { move in
      device.records.changes.allSatisfy { $0.new.sequence != move.new.sequence }
    }
    let findings = subject.perBond(moves).compactMap { finding($0, device) }
    return findings.isEmpty ? .pass : .fail(findings)
  }

  private func finding(_ moves: [RecordChange], _ device: borrowing DeviceHistory) -> Finding? {
    let first = moves[0]
    guard let old = first.old.offset, let new = first.new.offset else { return nil }
    return device.finding(
      "CLK-004",
      .error,
      .certain,
      moves,
      key: "offset",
      message:
        "number \(first.new.sequence) of \(first.new.baseTime) came with time offset \(old) min and comes again "
        + "with \(new) min"
    ) { before in
      ["it came first in " + before, "\(countText(moves.count, "stored record")) moved"]
    }
  }
}

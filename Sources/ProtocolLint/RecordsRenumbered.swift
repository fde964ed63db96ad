import HealthProfiles
public import LinkTrace
import Scenarios

/// SEQ-006: records come again under other numbers.
public struct RecordsRenumbered: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "SEQ-006",
    name: "records-renumbered",
    summary: "stored records come again under other sequence numbers",
    rationale: """
      Some meters number what they hold afresh on each link or after a delete. A request from a number on is then \
      useless, and a collector stores readings twice or not at all.
      """,
    remedy: """
      Store the number with the record and never change it. A collector of such a meter fetches all and compares by \
      base time and result.
      """,
    clause: "GLS 3.1.1.2 (S9)",
    needs: [.bothDirections, .noLoss, .whole, .identity],
    explains: ["SEQ-002", "SEQ-009", "EFF-001", "CLK-003", "APP-004"]
  )

  /// The records from number 4 on under the numbers from 1 on.
  private static var renumbered: [GlucoseMeasurement] {
    let meter = Meter()
    return (1...5).map { number in
      var measurement = meter.measurement(UInt16(number + 3))
      measurement.sequenceNumber = UInt16(number)
      measurement.contextFollows = false
      return measurement
    }
  }

  public var failing: [RuleExample] {
    let again = Self.renumbered
    return [
      RuleExample(
        .error,
        "the oldest are gone and the others have new numbers",
        "new-numbers",
        [
          .firstArrival, .fetch(.all, 1...8), .farewell, .later(minutes: 60), .bondedArrival, .report(.all), .accept,
          .marked(.measurement(again[0])),
        ] + again.dropFirst().map { .measurement($0) } + [.result(.report, .success), .confirm, .farewell]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the oldest are gone, the others keep their numbers",
        "kept-numbers",
        [
          .firstArrival, .fetch(.all, 1...8), .farewell, .later(minutes: 60), .bondedArrival,
          .fetch(.atLeast(8), 8...10), .farewell,
        ]
      )
    ]
  }

  /// A single pair may be two measurements.
  private static let least = 2

  private struct Content: Hashable {
    var time: UInt64
    var content: UInt32
  }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    guard device.records.count > 1, device.links.count > 1 else { return .notApplicable }
    var seen: [Content: DeviceRecord] = [:]
    seen.reserveCapacity(device.records.count)
    var pairs: [RecordChange] = []
    func compare(_ record: DeviceRecord) {
      // A record without a result says too little to be known again.
      guard record.content != 0 else { return }
      let content = Content(time: record.time, content: record.content)
      guard let other = seen[content] else {
        seen[content] = record
        return
      }
      guard other.sequence != record.sequence, other.link != record.link,
        subject.standings[Int(other.link)].bond == subject.standings[Int(record.link)].bond
      else { return }
      let isLater = record.link > other.link
      pairs.append(RecordChange(old: isLater ? other : record, new: isLater ? record : other))
    }
    for change in device.records.changes { compare(change.old) }
    device.records.visit { compare($0) }
    guard pairs.count >= Self.least else { return .pass }
    pairs.sort { ($0.new.link, $0.new.frame) < ($1.new.link, $1.new.frame) }
    let first = pairs[0]
    let link = Int(first.new.link)
    return .fail([
      device.finding(
        "SEQ-006",
        .error,
        .sensor,
        .certain,
        link: link,
        frames: [first.new.frame],
        others: [(Int(first.old.link), first.old.frame)]
          + pairs.dropFirst().prefix(6).flatMap(\.places),
        further: pairs.dropFirst(7).flatMap(\.places),
        key: "numbers",
        message: "the record of \(first.new.baseTime) came as number \(first.old.sequence) and comes again as number "
          + "\(first.new.sequence), and so \(pairs.count == 2 ? "does 1 more" : "do \(pairs.count - 1) more")",
        evidence: [
          "it came first in " + device.frameText(first.old.frame, of: Int(first.old.link), from: link),
          "base time, result, type and location are the same",
        ]
      )
    ])
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// APP-013: two collectors take turns on one sensor, and each has only a part of the records.
public struct CollectorsCompete: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "APP-013",
    name: "collectors-compete",
    summary: "two collectors take turns on one sensor, and records that came to one are missing at the other",
    rationale: """
      Each app sees its own part of the readings and takes it for all of them: one deletes what the other has not \
      fetched yet, or both rely on a mark that the other one has moved. Neither breaks a clause.
      """,
    remedy: """
      Let one collector fetch and hand on the readings, or let each fetch from its own highest number on, and delete \
      nothing.
      """,
    clause: "GLP 4.7.3 (C11)",
    needs: [.bothDirections, .noLoss, .whole, .identity]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "each of two collectors deletes what it has fetched, as the sensor's host sees it",
        "both-delete",
        [
          .firstArrival, .fetch(.all, 1...6), .delete(.all), .accept, .result(.delete, .success), .confirm, .farewell,
          .later(minutes: 600), .selectCollector(1), .firstArrival, .fetch(.all, 7...9), .delete(.all), .accept,
          .result(.delete, .success), .confirm, .farewell, .later(minutes: 600), .selectCollector(0), .bondedArrival,
          .marked(.report(.all)), .accept, .records(10...12), .result(.report, .success), .confirm, .farewell,
        ]
      ).seenBySensorAlone
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "each of two collectors fetches what is new to it, as the sensor's host sees it",
        "both-complete",
        [
          .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 600), .selectCollector(1), .firstArrival,
          .fetch(.all, 1...9), .farewell, .later(minutes: 600), .selectCollector(0), .bondedArrival,
          .fetch(.atLeast(7), 7...12), .farewell,
        ]
      ).seenBySensorAlone
    ]
  }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    // A collector's own capture does not show the others.
    guard subject.collectors.count > 1 else { return .notApplicable }
    let delivering = subject.collectors.map { links in links.filter { !device.links[$0].received.isEmpty } }
    guard delivering.count(where: { !$0.isEmpty }) > 1 else { return .notApplicable }
    if subject.hasUnknownCollectors { return .inconclusive("the collectors cannot be told from each other") }
    var areTurnsSeen = false
    var doubt: String?
    for (collector, own) in delivering.enumerated() where own.count > 1 {
      for (other, links) in delivering.enumerated() where other != collector {
        let between = links.filter { $0 > own[0] && $0 < own[own.count - 1] }
        guard let turn = between.first, let next = own.first(where: { $0 > turn }) else { continue }
        areTurnsSeen = true
        if let reason = Self.doubt(own + between, device) {
          doubt = reason
          continue
        }
        let missing = Self.missing(own, between, device)
        // Where two miss parts of each other, that is said once.
        if missing.count > 0 { return .fail([finding(missing, own, between, next, device)]) }
      }
    }
    if let doubt { return .inconclusive(doubt) }
    return areTurnsSeen ? .pass : .notApplicable
  }

  /// What else than the other collector may have kept records from one.
  private static func doubt(_ links: [Int], _ device: borrowing DeviceHistory) -> String? {
    // A counter that began anew gives one number to several records.
    if !device.records.restarts.isEmpty { return "the sensor's numbers began anew" }
    for link in links {
      for procedure in device.links[link].procedures where procedure.opCode == .report {
        if procedure.isBrokenOff { return "a transfer to one of the collectors was broken off" }
        if procedure.isMixed || procedure.isUnseen { return "the capture does not show how all transfers came out" }
      }
    }
    return nil
  }

  /// Numbers inside of what came to a collector that came to the other one alone.
  private static func missing(_ own: [Int], _ others: [Int], _ device: borrowing DeviceHistory) -> SequenceSet {
    var mine = SequenceSet()
    for link in own { mine.formUnion(device.links[link].received) }
    var theirs = SequenceSet()
    for link in others { theirs.formUnion(device.links[link].received) }
    var missing = SequenceSet()
    for gap in mine.gaps {
      for range in theirs.ranges(overlapping: gap) { missing.insert(range.clamped(to: gap)) }
    }
    return missing
  }

  private func finding(
    _ missing: SequenceSet,
    _ own: [Int],
    _ others: [Int],
    _ next: Int,
    _ device: borrowing DeviceHistory
  ) -> Finding {
    let ranges = missing.ranges
    let named = ranges.prefix(4).map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" }
    let first = device.links[next].procedures.first { !$0.sequences.isEmpty }
    return device.finding(
      "APP-013",
      .note,
      .undetermined,
      .certain,
      link: next,
      frames: [first?.requestFrame ?? device.links[next].firstFrame],
      // What is missing rests on all links of the one that misses it.
      others: others.map { ($0, device.links[$0].firstFrame) } + own.filter { $0 != next }.map { ($0, 0) },
      key: "turns",
      message: "two collectors take turns: \(countText(Int(missing.count), "record")) came to one and not to the other"
        + ", numbers " + named.joined(separator: ", ") + (ranges.count > 4 ? ", …" : ""),
      evidence: [
        "\(countText(own.count, "link")) of the one with records, \(countText(others.count, "link")) of the other "
          + "between them",
        "the other one's first is in "
          + device.frameText(device.links[others[0]].firstFrame, of: others[0], from: next),
      ]
    )
  }
}

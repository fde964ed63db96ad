import HealthProfiles
public import LinkTrace
import Scenarios

/// EFF-004: a dozen links an hour that bring nothing.
public struct PollingCost: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "EFF-004",
    name: "polling-cost",
    summary: "the collector connects more than twelve times an hour without a new record",
    rationale: """
      Each link costs a coin cell more than a measurement. A meter advertises when it has something to tell.
      """,
    remedy: """
      Connect when the meter advertises after a measurement, or a few times a day.
      """,
    clause: "good practice: few links without news",
    needs: [.bothDirections, .noLoss, .identity]
  )

  private static let visit: Step = .group([
    .bondedArrival, .fetchNothing(.atLeast(4)), .disconnect(), .later(minutes: 4),
  ])

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "every four minutes",
        "every-four-minutes",
        [.firstArrival, .fetch(.all, 1...3), .farewell, .later(minutes: 4)]
          + [.bondedArrival, .marked(.report(.atLeast(4))), .accept, .result(.report, .noRecordsFound), .confirm]
          + [.disconnect(), .later(minutes: 4)] + Array(repeating: Self.visit, count: 12)
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "twice an hour",
        "twice-an-hour",
        [
          .firstArrival, .fetch(.all, 1...3), .farewell, .later(minutes: 30), .bondedArrival,
          .fetchNothing(.atLeast(4)), .disconnect(), .later(minutes: 30), .bondedArrival, .fetchNothing(.atLeast(4)),
          .farewell,
        ]
      )
    ]
  }

  private static let most = 12
  private static let hour: Int64 = 3_600_000_000

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    guard device.links.count > 1 else { return .notApplicable }
    var hasNews = [Bool](repeating: false, count: device.links.count)
    device.records.visit { hasNews[Int($0.link)] = true }
    for change in device.records.changes { hasNews[Int(change.old.link)] = true }
    // Records whose numbers are not read may be new ones.
    for link in device.links.indices {
      let hasUnread = device.links[link].procedures.contains { $0.records > 0 && $0.sequences.isEmpty }
      if hasUnread { hasNews[link] = true }
    }
    var findings: [Finding] = []
    var wasJudged = false
    for links in subject.collectors {
      let idle = links.filter {
        !hasNews[$0] && !device.links[$0].procedures.isEmpty && device.links[$0].strays.isEmpty
      }
      guard !idle.isEmpty else { continue }
      wasJudged = true
      let place = idle.indices.first { place in
        let end = place + Self.most
        guard end < idle.count else { return false }
        let span = device.links[idle[end]].firstTime - device.links[idle[place]].firstTime
        return span >= 0 && span <= Self.hour
          && subject.standings[idle[place]].bond == subject.standings[idle[end]].bond
      }
      if let place {
        findings.append(finding(Array(idle[place...(place + Self.most)]), idle.count, links.count, device))
      }
    }
    return findings.isEmpty ? (wasJudged ? .pass : .notApplicable) : .fail(findings)
  }

  private func finding(_ polls: [Int], _ idle: Int, _ total: Int, _ device: borrowing DeviceHistory) -> Finding {
    let step = DeviceStep(link: polls[0], place: 0)
    let span = device.links[polls[polls.count - 1]].firstTime - device.links[polls[0]].firstTime
    return device.finding(
      "EFF-004",
      .note,
      .collector,
      .certain,
      link: polls[0],
      step: step,
      frames: [device.procedure(step).requestFrame],
      others: polls.dropFirst().map { ($0, device.links[$0].procedures[0].requestFrame) },
      key: "polling",
      message: "no new record came on \(polls.count) links within \(durationText(span))",
      evidence: ["\(idle) of \(total) links brought none"]
    )
  }
}

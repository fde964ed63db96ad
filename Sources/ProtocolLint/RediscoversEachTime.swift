import HealthProfiles
public import LinkTrace
import Scenarios

/// APP-012: the whole table is discovered on each link of a bond.
public struct RediscoversEachTime: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "APP-012",
    name: "rediscovers-each-time",
    summary: "the collector discovers a bonded sensor's table again on later links",
    rationale: """
      A bonded sensor's table holds until it says otherwise. Discovery costs a second of radio on each link, which is \
      often longer than the records take. Some phones do it by themselves.
      """,
    remedy: """
      Keep the table with the bond, and discover again after Service Changed or another Database Hash.
      """,
    clause: "Core Vol 3 Part G, caching of attributes",
    needs: [.bothDirections, .noLoss, .security, .identity]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "discovered on the second link too",
        "discovered-again",
        [
          .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .bondedArrival,
          .marked(.discoverGlucose), .fetchNothing(.atLeast(7)), .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "discovered once",
        "discovered-once",
        [
          .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .bondedArrival,
          .fetchNothing(.atLeast(7)), .farewell,
        ]
      ),
      RuleExample(
        "discovered again after Service Changed",
        "discovered-after-change",
        [
          .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .bondedArrival,
          .attribute(from: .sensor, [0x1D, 0x08, 0x00, 0x01, 0x00, 0xFF, 0xFF]), .attribute(from: .collector, [0x1E]),
          .discoverGlucose, .subscribe(), .fetchNothing(.atLeast(7)), .farewell,
        ]
      ),
    ]
  }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    guard device.links.count > 1 else { return .notApplicable }
    var findings: [Finding] = []
    var wasJudged = false
    for links in subject.collectors {
      var found: [Int] = []
      var bond = -1
      for link in links {
        let shown = device.links[link]
        if subject.standings[link].bond != bond || shown.serviceChanged {
          if found.count > 1 { findings.append(finding(found, device)) }
          bond = subject.standings[link].bond
          found = []
        }
        if shown.security.usedStoredKey { wasJudged = true }
        let isBonded = shown.security.usedStoredKey || shown.security.hasBonded
        if isBonded, let digest = shown.serviceDigest, found.isEmpty || device.links[found[0]].serviceDigest == digest {
          found.append(link)
        }
      }
      if found.count > 1 { findings.append(finding(found, device)) }
    }
    return findings.isEmpty ? (wasJudged ? .pass : .notApplicable) : .fail(findings)
  }

  private func finding(_ found: [Int], _ device: borrowing DeviceHistory) -> Finding {
    device.finding(
      "APP-012",
      .note,
      .hostStack,
      .certain,
      link: found[1],
      frames: [device.links[found[1]].discoveryFrame],
      others: found.filter { $0 != found[1] }.map { ($0, device.links[$0].discoveryFrame) },
      key: "discovery",
      message: "the table is discovered on \(found.count) links of one bond and was the same each time",
      evidence: [
        "first discovered on the link whose discovery ends in "
          + device.frameText(device.links[found[0]].discoveryFrame, of: found[0], from: found[1])
      ]
    )
  }
}

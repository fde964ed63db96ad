import HealthProfiles
public import LinkTrace
import Scenarios

/// SEC-008: the two sides pair on each link.
public struct PairsEveryTime: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "SEC-008",
    name: "pairs-every-time",
    summary: "the collector and the sensor bond anew on link after link",
    rationale: """
      A bond is made to be kept. Where it is made each time, one side does not store it, the user is asked again and \
      again, and subscriptions are lost with it.
      """,
    remedy: """
      Store the keys on both sides before the link ends, and on the next link begin encryption with them.
      """,
    clause: "GLP 5.2.1, 6.1 (C15, S32)",
    needs: [.noLoss, .security, .identity],
    explains: ["SEC-004"]
  )

  private static let again: [Step] = [
    .arrival, .bondingRequest, .bondingConsent, .subscribe(), .fetchNothing(.atLeast(7)), .farewell,
  ]

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "bonded on each of three links",
        "bonds-on-three-links",
        [.firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .arrival, .marked(.bondingRequest)]
          + Self.again.dropFirst(2) + [.later(minutes: 60)] + Self.again
      ),
      RuleExample(
        .warning,
        "bonded on each of three links, on the first of which nothing else is done",
        "bonds-from-first-link-on",
        [
          .pairingAlone, .connect(), .marked(.bondingRequest), .bondingConsent, .lateFetch, .later(minutes: 60),
          .connect(), .bondingRequest, .bondingConsent, .subscribe(), .fetchNothing(.atLeast(4)), .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "bonded once, encrypted with the stored key since",
        "bonded-once",
        [
          .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .bondedArrival,
          .fetchNothing(.atLeast(7)), .farewell, .later(minutes: 60), .bondedArrival, .fetchNothing(.atLeast(7)),
          .farewell,
        ]
      )
    ]
  }

  /// Links on which a pair bonds although it was bonded, with nothing that had failed before.
  static func repetitions(_ links: [Int], _ device: borrowing DeviceHistory) -> [Int] {
    var found: [Int] = []
    var isBonded = false
    var file: UInt16 = 0
    for link in links {
      let security = device.links[link].security
      if device.links[link].file != file { isBonded = false }
      file = device.links[link].file
      if isBonded && security.hasBonded && security.storedKeyFrame == 0 { found.append(link) }
      if security.refusalFrame != 0 { isBonded = false }
      if security.hasBonded { isBonded = true }
    }
    return found
  }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    var findings: [Finding] = []
    var wasJudged = false
    for links in subject.collectors {
      guard let bonded = links.first(where: { device.links[$0].security.hasBonded }), links.last != bonded else {
        continue
      }
      if !links.contains(where: { device.links[$0].hasOpenSecurity }) { wasJudged = true }
      let again = Self.repetitions(links, device)
      guard again.count > 1 else { continue }
      findings.append(
        device.finding(
          "SEC-008",
          .warning,
          .undetermined,
          .likely,
          link: again[0],
          frames: [device.links[again[0]].security.pairingFrame],
          others: [(bonded, device.links[bonded].security.pairingFrame)]
            + again.dropFirst().map { ($0, device.links[$0].security.pairingFrame) },
          key: "pairs",
          message: "the two bond on \(again.count + 1) links, on each without a try of the stored key",
          evidence: [
            "first bonded in "
              + device.frameText(
                device.links[bonded].security.pairingFrame,
                of: bonded,
                from: again[0]
              )
          ]
        )
      )
    }
    return findings.isEmpty ? (wasJudged ? .pass : .notApplicable) : .fail(findings)
  }
}

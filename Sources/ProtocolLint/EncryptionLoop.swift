import HealthProfiles
public import LinkTrace
import Scenarios

/// SEC-007: link after link fails with the same stored key.
public struct EncryptionLoop: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "SEC-007",
    name: "encryption-loop",
    summary: "the collector tries a stored key that is refused on link after link and does not pair again",
    rationale: """
      The sensor no longer has the bond, and trying again cannot bring it back. The meter's battery pays for each \
      link, and the user sees an app that never syncs.
      """,
    remedy: """
      After the first refusal tell the user, delete the bond and pair again with consent; until then do not connect.
      """,
    clause: "GLP 5.2.2 (C16)",
    needs: [.noLoss, .security, .identity],
    explains: ["SEC-004"]
  )

  private static let failed: Step = .group([
    .arrival, .encrypt(status: 0x06), .exchangeMTU(185), .discoverGlucose, .farewell, .later(minutes: 1),
  ])

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "three links in three minutes",
        "three-refusals",
        [
          Self.failed, Self.failed, .arrival, .marked(.encrypt(status: 0x06)), .exchangeMTU(185), .discoverGlucose,
          .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "refused once, then paired again",
        "refused-then-paired",
        [
          Self.failed, .firstArrival, .fetch(.all, 1...6), .farewell,
          .later(minutes: 1), .bondedArrival, .fetchNothing(.atLeast(7)), .farewell,
        ]
      ).alongside("SEC-004")
    ]
  }

  /// Microseconds within which the links must lie.
  private static let span: Int64 = 600_000_000

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    guard device.links.contains(where: { $0.security.refusalFrame != 0 }) else { return .notApplicable }
    var findings: [Finding] = []
    for links in subject.collectors {
      var run: [Int] = []
      var longest: [Int] = []
      for link in links {
        let security = device.links[link].security
        if security.pairingFrame != 0 || (security.storedKeyFrame != 0 && security.refusalFrame == 0) { run = [] }
        guard security.refusalFrame != 0, security.pairingFrame == 0 else { continue }
        if let last = run.last, device.links[link].firstTime - device.links[last].firstTime > Self.span { run = [] }
        run.append(link)
        if run.count > longest.count { longest = run }
      }
      guard longest.count >= 3, device.links[longest[2]].firstTime - device.links[longest[0]].firstTime <= Self.span
      else { continue }
      let third = longest[2]
      findings.append(
        device.finding(
          "SEC-007",
          .warning,
          .collector,
          .likely,
          link: third,
          frames: [device.links[third].security.storedKeyFrame],
          others: longest.filter { $0 != third }.map { ($0, device.links[$0].security.storedKeyFrame) },
          key: "loop",
          message: "the stored key is refused on \(longest.count) links within "
            + durationText(device.links[longest[longest.count - 1]].firstTime - device.links[longest[0]].firstTime)
            + ", and nobody pairs again",
          evidence: [
            "the first refusal is in "
              + device.frameText(device.links[longest[0]].security.refusalFrame, of: longest[0], from: third)
          ]
        )
      )
    }
    if !findings.isEmpty { return .fail(findings) }
    let isOpen = device.links.contains { $0.hasOpenSecurity }
    return isOpen ? .inconclusive("the capture does not show how encryption with the stored key came out") : .pass
  }
}

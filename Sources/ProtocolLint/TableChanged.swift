import HealthProfiles
public import LinkTrace
import Scenarios

/// GATT-013: the attribute table changes and nothing says so.
public struct TableChanged: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "GATT-013",
    name: "table-changed-silently",
    summary: "two discoveries of a bonded sensor differ and no Service Changed was indicated",
    rationale: """
      Bonded collectors keep the table and do not discover again. Where it changes without a word they write to the \
      wrong handles.
      """,
    remedy: """
      Indicate Service Changed to each bonded collector on its next link after an update, or keep the table as it was.
      """,
    clause: "Core Vol 3 Part G, caching of attributes",
    needs: [.bothDirections, .noLoss, .everyIndication, .whole, .security, .identity]
  )

  private static var moved: Meter {
    var meter = Meter()
    meter.glucoseService = 0x0030
    return meter
  }

  /// Indications of Service Changed are turned on.
  private static let askForChanges = Step.group([
    .attribute(from: .collector, [0x12, 0x09, 0x00, 0x02, 0x00]), .attribute(from: .sensor, [0x13]),
  ])

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "the service stands at other handles",
        "service-moved",
        [
          .firstArrival, Self.askForChanges, .fetch(.all, 1...6), .farewell, .later(minutes: 60),
          .selectMeter(Self.moved), .bondedArrival, .marked(.discoverGlucose), .subscribe(), .fetchNothing(.atLeast(7)),
          .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "discovered once more, and the same",
        "same-table",
        [
          .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .bondedArrival, .discoverGlucose,
          .fetchNothing(.atLeast(7)), .farewell,
        ]
      ).alongside("APP-012")
    ]
  }

  /// A device that changes on every link is told of often enough.
  private static let limit = 16

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    guard device.links.count > 1 else { return .notApplicable }
    var findings: [Finding] = []
    var wasJudged = false
    var isUntold = false
    for links in subject.collectors {
      var before: Int?
      var asks = (bond: -1, isOn: false)
      for link in links {
        if device.links[link].serviceChanged { before = nil }
        // Who has not turned on its indications is not told (Core Vol 3 Part G 7.1).
        if subject.standings[link].bond != asks.bond { asks = (subject.standings[link].bond, false) }
        defer { if device.links[link].asksForChanges { asks.isOn = true } }
        guard let digest = device.links[link].serviceDigest else { continue }
        if let earlier = before, let old = device.links[earlier].serviceDigest, subject.standings[link].isPaired,
          subject.standings[earlier].bond == subject.standings[link].bond
        {
          wasJudged = true
          if old != digest && !asks.isOn {
            isUntold = true
          } else if old != digest && findings.count < Self.limit {
            let first = device.links[earlier].discoveryFrame
            findings.append(
              device.finding(
                "GATT-013",
                .warning,
                .sensor,
                .certain,
                link: link,
                frames: [device.links[link].discoveryFrame],
                others: [(earlier, first)],
                key: "table",
                message: "the discovery that ends in frame \(device.links[link].discoveryFrame) finds other handles or "
                  + "properties of the glucose service than the one before, and no Service Changed was indicated",
                evidence: ["the earlier discovery ends in " + device.frameText(first, of: earlier, from: link)]
              )
            )
          }
        }
        before = link
      }
    }
    if !findings.isEmpty { return .fail(findings) }
    if isUntold {
      return .inconclusive("the table changed, and the capture does not show that the collector asked to be told")
    }
    return wasJudged ? .pass : .notApplicable
  }
}

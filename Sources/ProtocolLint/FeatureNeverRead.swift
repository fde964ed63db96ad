import HealthProfiles
public import LinkTrace
import Scenarios

/// GATT-018: annunciations are received and the feature that says which of them mean something is never read.
public struct FeatureNeverRead: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "GATT-018",
    name: "feature-never-read",
    summary: "records carry a status annunciation, and the collector never reads the Glucose Feature",
    rationale: """
      Only the feature tells which annunciation bits the sensor uses. Without it a collector shows or hides warnings \
      such as "result too high" at random.
      """,
    remedy: """
      Read the Glucose Feature after discovery and ignore annunciation bits of features that are not supported.
      """,
    clause: "GLP 4.6 (C4)",
    needs: [.bothDirections, .noLoss, .whole, .start, .identity, .history]
  )

  private static var announced: GlucoseMeasurement {
    var measurement = Meter().measurement(1)
    measurement.annunciation = SensorStatusAnnunciation(rawValue: 0x0020)
    return measurement
  }

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "a result that is too high, and nobody has read the feature",
        "annunciation-unread",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .subscribe(), .report(.all), .accept,
          .marked(.measurement(Self.announced)), .result(.report, .success), .confirm, .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the feature is read first",
        "annunciation-read",
        [
          .firstArrival, .report(.all), .accept, .measurement(Self.announced), .result(.report, .success), .confirm,
          .farewell,
        ]
      )
    ]
  }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    var findings: [Finding] = []
    var wasJudged = false
    var isUnknown = false
    for links in subject.collectors {
      guard let first = links.first(where: { device.links[$0].annunciations > 0 }) else { continue }
      wasJudged = true
      if links.contains(where: { device.links[$0].asksForFeature }) { continue }
      // Where no discovery names the feature, it may have been read under a handle without a name.
      if links.contains(where: { device.links[$0].naming <= .inferred }) {
        isUnknown = true
        continue
      }
      guard let start = links.first, device.links[start].security.hasBonded else {
        isUnknown = true
        continue
      }
      let count = links.reduce(0) { $0 + Int(device.links[$1].annunciations) }
      findings.append(
        device.finding(
          "GATT-018",
          .warning,
          .collector,
          .likely,
          link: first,
          frames: [device.links[first].annunciationFrame],
          others: [(start, device.links[start].security.pairingFrame)],
          key: "feature",
          message:
            "the Glucose Feature was never read, and \(countText(count, "record")) with a status annunciation came",
          evidence: ["the capture begins with their pairing in frame \(device.links[start].security.pairingFrame)"]
        )
      )
    }
    if !findings.isEmpty { return .fail(findings) }
    if isUnknown { return .inconclusive("whether the feature was read before is not in the capture") }
    return wasJudged ? .passWithout([.history, .start]) : .notApplicable
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// SEC-012: a bonded pair meets again, and the collector asks for records without encryption.
public struct BondNotUsed: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "SEC-012",
    name: "bond-not-used",
    summary: "on a later link with a bonded sensor the collector makes requests and never begins encryption",
    rationale: """
      Encryption is to be started on each link before the health service is used. Without it the sensor must refuse, \
      and stored subscriptions do not hold.
      """,
    remedy: """
      Start encryption with the stored key as soon as the link is up, before the first request.
      """,
    clause: "GLP 5.2.2 (C16)",
    needs: [.bothDirections, .noLoss, .security, .end, .identity],
    explains: ["SEC-002", "APP-001"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "the second link is never encrypted, and the sensor refuses",
        "never-encrypted",
        [
          .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .arrival,
          .security(from: .sensor, [0x0B, 0x01]), .discoverGlucose, .marked(.report(.atLeast(7))), .refuse(error: 0x0F),
          .wait(milliseconds: 6000), .disconnect(),
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the second link is encrypted first",
        "encrypted-first",
        [
          .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .bondedArrival,
          .fetchNothing(.atLeast(7)), .farewell,
        ]
      )
    ]
  }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    guard device.links.count > 1 else { return .notApplicable }
    var findings: [Finding] = []
    var wasJudged = false
    var isOpen = false
    for links in subject.collectors {
      var bonded: Int?
      for link in links {
        let shown = device.links[link]
        let security = shown.security
        if let bonded, security.pairingFrame == 0, shown.facts.contains(.security), let first = shown.procedures.first {
          if security.wasEncrypted || security.storedKeyFrame != 0 {
            wasJudged = true
          } else if shown.endCause == .disconnected {
            findings.append(finding(link, first, bonded, device, subject))
          } else {
            isOpen = true
          }
        }
        if security.refusalFrame != 0 { bonded = nil }
        if security.hasBonded || security.usedStoredKey { bonded = link }
      }
    }
    if findings.isEmpty && isOpen {
      return .inconclusive("whether the link is encrypted later is not in the capture")
    }
    return findings.isEmpty ? (wasJudged ? .passWithout([.end]) : .notApplicable) : .fail(findings)
  }

  private func finding(
    _ link: Int,
    _ first: DeviceProcedure,
    _ bonded: Int,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Finding {
    let security = device.links[bonded].security
    let frame = security.hasBonded ? security.pairingFrame : security.storedKeyFrame
    let step = DeviceStep(link: link, place: 0)
    return device.finding(
      "SEC-012",
      // Names that are only carried over hold under a bond that is in use.
      device.links[link].naming >= .supplied ? .error : .warning,
      .collector,
      .certain,
      link: link,
      step: step,
      frames: [first.requestFrame],
      others: [(bonded, frame)],
      key: hex(first.octets),
      message: "\(subject.quoted(step)) on a link that is never encrypted, although the bond was in use in "
        + device.frameText(frame, of: bonded, from: link),
      evidence: [
        "neither an order to encrypt nor a pairing is among the commands of this link",
        "the link was up for \(durationText(device.links[link].endTime - device.links[link].firstTime))",
      ]
    )
  }
}

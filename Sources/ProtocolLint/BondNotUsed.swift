import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// SEC-012: a bonded pair meets again, and the collector does not begin encryption.
public struct BondNotUsed: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "SEC-012",
    name: "bond-not-used",
    summary: "on a later link with a bonded sensor the collector does not begin encryption, or only after a refusal",
    rationale: """
      Encryption is to be started on each link before the health service is used. Without it the sensor must refuse, \
      and stored subscriptions do not hold.
      """,
    remedy: """
      Start encryption with the stored key as soon as the link is up, before the first request.
      """,
    clause: "GLP 5.2.2 (C16)",
    needs: [.bothDirections, .noLoss, .security, .end, .identity],
    explains: ["SEC-002", "CONN-008", "APP-001"]
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
      ),
      RuleExample(
        .error,
        "the second link is used with the names of the first, and never encrypted",
        "never-encrypted-with-known-names",
        [
          .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .arrival,
          .security(from: .sensor, [0x0B, 0x01]), .marked(.report(.atLeast(7))), .refuse(error: 0x0F),
          .wait(milliseconds: 6000), .disconnect(),
        ]
      ),
      RuleExample(
        .error,
        "the two only pair on the first link, and the second is never encrypted",
        "never-encrypted-since-pairing",
        [
          .pairingAlone, .connect(), .security(from: .sensor, [0x0B, 0x01]), .discoverGlucose,
          .marked(.report(.all)), .refuse(error: 0x0F), .wait(milliseconds: 6000), .disconnect(),
        ]
      ),
      RuleExample(
        .error,
        "on the second link the feature is read without encryption",
        "read-without-encryption",
        [
          .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .arrival,
          .security(from: .sensor, [0x0B, 0x01]), .discoverGlucose,
          .marked(.attribute(from: .collector, [0x0A, 0x21, 0x00])),
          .attribute(from: .sensor, [0x01, 0x0A, 0x21, 0x00, 0x0F]), .wait(milliseconds: 2000), .disconnect(),
        ]
      ),
      RuleExample(
        .error,
        "on the second link nothing is done for eight seconds",
        "idle-without-encryption",
        [
          .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .arrival,
          .security(from: .sensor, [0x0B, 0x01]), .exchangeMTU(185), .wait(milliseconds: 8000), .marked(.disconnect()),
        ]
      ),
      RuleExample(
        .note,
        "the second link is encrypted only after a refusal",
        "encrypted-after-refusal",
        [
          .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .arrival,
          .security(from: .sensor, [0x0B, 0x01]), .marked(.report(.atLeast(7))), .refuse(error: 0x0F),
          .wait(milliseconds: 1200), .encrypt(), .fetchNothing(.atLeast(7)), .farewell,
        ]
      ),
      RuleExample(
        .note,
        "the second link is encrypted at once after a refusal: for the sensor's host both may have crossed",
        "encrypted-at-once-after-refusal",
        [
          .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .arrival,
          .security(from: .sensor, [0x0B, 0x01]), .marked(.report(.atLeast(7))), .refuse(error: 0x0F), .encrypt(),
          .fetchNothing(.atLeast(7)), .farewell,
        ]
      ).seenByCollectorAlone,
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
    var isCrossing = false
    for links in subject.collectors {
      var bonded: Int?
      for link in links {
        let shown = device.links[link]
        let security = shown.security
        if let bonded, security.pairingFrame == 0, shown.facts.contains(.security) {
          let stay = shown.endTime - shown.firstTime
          if security.wasEncrypted || security.storedKeyFrame != 0 {
            if shown.earlyFrame != 0 {
              findings.append(late(link, bonded, device))
            } else if shown.mayBeEarly {
              isCrossing = true
            } else if !shown.procedures.isEmpty {
              wasJudged = true
            }
          } else if shown.endCause != .disconnected {
            isOpen = isOpen || shown.useFrame != 0 || stay >= Self.patience
          } else if stay >= Self.patience || (shown.useFrame != 0 && shown.isEndedByCollector) {
            findings.append(never(link, bonded, device, subject))
          }
        }
        if security.refusalFrame != 0 { bonded = nil }
        if security.hasBonded || security.usedStoredKey { bonded = link }
      }
    }
    if findings.isEmpty && isOpen {
      return .inconclusive("whether the link is encrypted later is not in the capture")
    }
    if findings.isEmpty && isCrossing {
      return .inconclusive(SecurityEfforts.unseenOrder)
    }
    return findings.isEmpty ? (wasJudged ? .passWithout([.end]) : .notApplicable) : .fail(findings)
  }

  /// How long a collector may take to begin; microseconds.
  private static let patience: Int64 = 5_000_000

  private func never(
    _ link: Int,
    _ bonded: Int,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Finding {
    let shown = device.links[link]
    let before = bond(bonded, device)
    let isRequest = shown.procedures.first.map { $0.requestFrame == shown.useFrame } ?? false
    let step = isRequest ? DeviceStep(link: link, place: 0) : nil
    var key = "idle"
    var what = "the link stayed up for \(durationText(shown.endTime - shown.firstTime)) and was never encrypted"
    if let step {
      key = hex(device.procedure(step).octets)
      what = subject.quoted(step) + " on a link that is never encrypted"
    } else if shown.useFrame != 0 {
      key = useText(shown)
      what = "\(key) on a link that is never encrypted"
    }
    return device.finding(
      "SEC-012",
      .error,
      .collector,
      .certain,
      link: link,
      step: step,
      frames: shown.useFrame != 0 ? [shown.useFrame] : [shown.departureFrame, shown.firstFrame],
      others: [(bonded, before)],
      key: key,
      message: "\(what), although \(Self.use(bonded, device)) in " + device.frameText(before, of: bonded, from: link),
      evidence: [
        "neither an order to encrypt nor a pairing is among the commands of this link",
        "the link was up for \(durationText(shown.endTime - shown.firstTime))",
      ]
    )
  }

  private func late(_ link: Int, _ bonded: Int, _ device: borrowing DeviceHistory) -> Finding {
    let shown = device.links[link]
    let before = bond(bonded, device)
    let place = shown.procedures.firstIndex { $0.requestFrame == shown.earlyFrame }
    var finding = device.finding(
      "SEC-012",
      .note,
      .collector,
      .certain,
      link: link,
      step: place.map { DeviceStep(link: link, place: $0) },
      frames: [shown.earlyFrame, shown.security.storedKeyFrame],
      others: [(bonded, before)],
      key: "after refusal",
      message:
        "encryption begun only after a request had been refused for the lack of it, although "
        + "\(Self.use(bonded, device)) in " + device.frameText(before, of: bonded, from: link),
      evidence: [
        "refused request in frame \(shown.earlyFrame), encryption with the stored key from frame "
          + "\(shown.security.storedKeyFrame) on"
      ]
    )
    finding.isRootCause = false
    return finding
  }

  /// Where the bond was made or used.
  private static func use(_ link: Int, _ device: borrowing DeviceHistory) -> String {
    device.links[link].security.hasBonded ? "the two bonded" : "the bond was in use"
  }

  private func bond(_ link: Int, _ device: borrowing DeviceHistory) -> UInt32 {
    let security = device.links[link].security
    return security.hasBonded ? security.pairingFrame : security.storedKeyFrame
  }

  /// The first use of a link in words.
  private func useText(_ link: DeviceLink) -> String {
    let target =
      switch link.useRole {
      case .glucoseFeature: "the feature"
      case .glucoseMeasurement: "the measurement"
      case .glucoseContext: "the context"
      case .subscription: "a CCCD"
      default: "the control point"
      }
    return (link.useOpcode == .readRequest ? "a read of " : "a write to ") + target
  }
}

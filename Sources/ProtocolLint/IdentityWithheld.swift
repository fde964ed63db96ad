import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// SEC-010: a side changes its address and gives no key by which it is known again.
public struct IdentityWithheld: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "SEC-010",
    name: "identity-withheld",
    summary: "a side with a private address bonds and gives no identity key",
    rationale: """
      A resolvable private address changes every few minutes. Without the identity key the other side cannot tell on \
      the next link whom it meets, and the bond is of no use.
      """,
    remedy: """
      Distribute the identity key and address in the pairing, or use a static or public address.
      """,
    clause: "good practice: a bond that outlives the address",
    needs: [.noLoss, .security]
  )

  private static let address = DeviceAddress(value: 0x4A11_2233_4455, isRandom: true)

  private static let rest: Step = .group([
    .discoverGlucose, .read(.feature), .subscribe(), .fetch(.all, 1...3), .farewell,
  ])

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "the sensor keeps its identity key",
        "key-kept",
        [
          .advertise, .connect(isEnhanced: true, sensorAddress: Self.address), .exchangeMTU(185),
          .marked(.bondingRequest), .bondingConsent, Self.rest,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the sensor gives its identity key",
        "key-given",
        [
          .advertise, .connect(isEnhanced: true, sensorAddress: Self.address), .exchangeMTU(185),
          .pair(sensorIdentityKey: [UInt8](repeating: 0x2A, count: 16)), Self.rest,
        ]
      )
    ]
  }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    var wasJudged = false
    for link in device.links.indices {
      let security = device.links[link].security
      guard security.hasBonded, !device.links[link].procedures.isEmpty else { continue }
      let isPrivate = security.sensorIsResolvable || security.collectorIsResolvable
      // An identity key serves addresses to come as well.
      guard isPrivate || security.sensorGaveIdentity || security.collectorGaveIdentity else { continue }
      wasJudged = true
      let isSensor = security.sensorIsResolvable && !security.sensorGaveIdentity
      guard isSensor || security.collectorIsResolvable && !security.collectorGaveIdentity else { continue }
      return .fail([
        device.finding(
          "SEC-010",
          .note,
          .undetermined,
          .certain,
          link: link,
          frames: [security.pairingFrame],
          key: isSensor ? "sensor" : "collector",
          message:
            "the \(isSensor ? "sensor" : "collector") bonds in frame \(security.pairingFrame) under a private address "
            + "and gives no identity key",
          evidence: ["no identity key of this side is among the keys distributed on the link"]
        )
      ])
    }
    return wasJudged ? .pass : .notApplicable
  }
}

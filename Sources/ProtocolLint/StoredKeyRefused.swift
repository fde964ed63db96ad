import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// SEC-004: encryption with the stored key fails, because one side has lost the bond.
public struct StoredKeyRefused: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "SEC-004",
    name: "stored-key-refused",
    summary: "the link cannot be encrypted with the stored key because one side no longer has it",
    rationale: """
      A bond that only one side remembers locks the pair out: each link fails at once, and most phones do not repair \
      it until the user deletes the device. The user may have done so on purpose, so it is no error of anybody.
      """,
    remedy: """
      Sensor: keep bonds over power loss and firmware updates, and delete one only on the user's order. Collector: \
      on "key missing" tell the user, pair again after the user has agreed, then discover and subscribe anew.
      """,
    clause: "GLP 5.2.2 (C16)",
    needs: [.noLoss, .security],
    explains: ["SEC-002", "SEC-005", "CONN-002", "APP-001"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "the sensor has no key for the collector",
        "sensor-lost-key",
        [.arrival, .marked(.encrypt(status: 0x06)), .exchangeMTU(185), .discoverGlucose, .farewell]
      ),
      RuleExample(
        .warning,
        "the keys of the two do not match",
        "keys-differ",
        [.arrival, .marked(.encrypt(status: 0x05)), .exchangeMTU(185), .discoverGlucose, .farewell]
      ).seenByCollectorAlone,
      RuleExample(
        .warning,
        "the sensor has lost the bond, and they pair again",
        "paired-again",
        [
          .arrival, .marked(.encrypt(status: 0x06)), .wait(milliseconds: 2000), .pair(), .exchangeMTU(185),
          .discoverGlucose, .subscribe(), .fetch(.all, 1...6), .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "the collector has lost the bond, and pairs as if it had never met the sensor",
        "collector-lost-key",
        [
          .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .arrival, .marked(.bondingRequest),
          .bondingConsent, .subscribe(), .fetchNothing(.atLeast(7)), .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "the collector has lost the bond of a first link, on which the two only paired",
        "collector-lost-key-of-first-link",
        [.pairingAlone, .connect(), .marked(.bondingRequest), .bondingConsent, .lateFetch]
      ),
      RuleExample(
        .warning,
        "the sensor has no key, on two links",
        "sensor-lost-key-twice",
        [
          .arrival, .marked(.encrypt(status: 0x06)), .wait(milliseconds: 400), .disconnect(), .later(minutes: 60),
          .arrival, .encrypt(status: 0x06), .exchangeMTU(185), .discoverGlucose, .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "the collector has lost the bond, and the sensor does not pair again",
        "collector-lost-key-and-is-refused",
        [
          .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .arrival, .marked(.bondingRequest),
          .security(from: .sensor, [0x05, 0x05]), .wait(milliseconds: 400), .disconnect(),
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the stored key works",
        "key-works",
        [.bondedArrival, .exchangeMTU(185), .discoverGlucose, .subscribe(), .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  private enum Loss { case sensor, mismatch }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard subject.mayBeHealth(history), let sensor = subject.sensor else { return .notApplicable }
    var order: LinkEvent?
    for event in history.events {
      switch event.kind {
      case .pairingRequest: return order == nil ? .notApplicable : .pass
      case .startEncryption: order = event
      case .longTermKeyRequest: order = event
      case .longTermKeyNegativeReply:
        // The local controller asked its host for the key: the local side has lost it.
        return .fail([finding(event, .local == sensor ? .sensor : .mismatch, "0x06", history, subject)])
      case .encryptionChange:
        guard let begun = order else { continue }
        if event.code == 0 { return .pass }
        if event.code == 0x06 { return .fail([finding(begun, .sensor, "0x06", history, subject)]) }
        if event.code == 0x05 { return .fail([finding(begun, .mismatch, "0x05", history, subject)]) }
      default: continue
      }
    }
    guard let order else { return .notApplicable }
    if history.end.cause == .disconnected {
      let reason = history.end.reason.rawValue
      if reason == 0x06 { return .fail([finding(order, .sensor, "0x06", history, subject)]) }
      if reason == 0x05 || reason == 0x3D {
        return .fail([finding(order, .mismatch, "0x" + hex([reason]), history, subject)])
      }
    }
    return .inconclusive("the capture does not show how encryption with the stored key came out")
  }

  private func finding(
    _ event: LinkEvent,
    _ loss: Loss,
    _ code: String,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let paired = history.events.first { $0.kind == .pairingRequest && $0.frame > event.frame }
    let who = loss == .sensor ? "the sensor has no key for this collector" : "the keys of the two sides do not match"
    return Finding(
      "SEC-004",
      .warning,
      loss == .sensor ? .sensor : .undetermined,
      .certain,
      link: history.number,
      frames: [event.frame],
      time: event.time,
      key: code,
      message: "encryption with the stored key failed with 0x\(code.dropFirst(2).uppercased()): \(who); its user "
        + "may have deleted the bond",
      evidence: [
        "encryption was begun or refused in frame \(event.frame)",
        paired.map { "pairing began anew in frame \($0.frame)" } ?? "no pairing followed on this link",
      ]
    )
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// SEC-003: the sides pair, and one of them does not bond.
public struct PairedWithoutBond: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "SEC-003",
    name: "paired-without-bond",
    summary: "pairing succeeds, and a side has not asked for bonding",
    rationale: """
      Without a bond the keys are gone when the link ends: the user has to pair for every transfer, and the sensor \
      forgets the collector's subscriptions.
      """,
    remedy: """
      Set the bonding bits (01) in AuthReq of Pairing Request and Pairing Response, and keep the keys.
      """,
    clause: "GLP 5.2.1 (C15), GLP 6.1 (S32)",
    needs: [.noLoss, .security]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "the collector does not ask for bonding",
        "collector-does-not-bond",
        [
          .arrival, .exchangeMTU(185), .discoverGlucose, .security(from: .collector, [0x01, 4, 0, 8, 16, 0, 0]),
          .marked(.security(from: .sensor, [0x02, 3, 0, 9, 16, 0, 0])), .encrypt(), .subscribe(),
          .fetch(.all, 1...3), .farewell,
        ]
      ),
      RuleExample(
        .error,
        "the sensor does not answer the collector's wish to bond",
        "sensor-does-not-bond",
        [
          .arrival, .exchangeMTU(185), .discoverGlucose, .security(from: .collector, [0x01, 4, 0, 9, 16, 0, 0]),
          .marked(.security(from: .sensor, [0x02, 3, 0, 8, 16, 0, 0])), .encrypt(), .subscribe(),
          .fetch(.all, 1...3), .farewell,
        ]
      ),
      RuleExample(
        .error,
        "the collector does not ask for bonding on a first link, on which the two only pair",
        "does-not-bond-on-first-link",
        [
          .connect(), .exchangeMTU(185), .security(from: .collector, [0x01, 4, 0, 8, 16, 0, 0]),
          .marked(.security(from: .sensor, [0x02, 3, 0, 9, 16, 0, 0])), .encrypt(), .farewell, .later(minutes: 1),
          .connect(), .pair(), .lateFetch,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "both bond",
        "both-bond",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard subject.isHealth, let pairing = subject.security.pairing else { return .notApplicable }
    if pairing.isCut { return .inconclusive("the logger cut the packets of the pairing") }
    let isLate = subject.security.failure.map { $0.frame > pairing.frame } ?? false
    if pairing.bonds || isLate { return .pass }
    guard subject.security.changes.contains(where: { $0.isOn && $0.frame > pairing.frame }) else {
      return .inconclusive("the capture does not show that the pairing succeeded")
    }
    // The responder answers what the initiator asks for.
    let side = pairing.initiator.wantsBonding ? pairing.initiatedBy.other : pairing.initiatedBy
    let fault = subject.fault(of: side)
    let features = pairing.initiator.wantsBonding ? pairing.responder : pairing.initiator
    let response = history.events.last { $0.kind == .pairingResponse }
    return .fail([
      Finding(
        "SEC-003",
        subject.isGlucose || history.isGlucoseDevice ? .error : .note,
        fault,
        .certain,
        link: history.number,
        frames: [response?.frame ?? pairing.frame, pairing.frame],
        time: response?.time ?? history.firstTime,
        key: fault.rawValue,
        message: "paired without a bond: AuthReq \(codeText(features.authentication)) of the \(fault.rawValue) does "
          + "not ask for bonding",
        evidence: [
          "AuthReq of the initiator \(codeText(pairing.initiator.authentication)), of the responder "
            + "\(codeText(pairing.responder.authentication))"
        ]
      )
    ])
  }
}

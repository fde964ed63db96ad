import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// SEC-009: a pairing weaker than both sides could do.
public struct WeakPairing: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "SEC-009",
    name: "weak-pairing",
    summary: "the sides pair by legacy pairing, with a short key, or unauthenticated although both could do better",
    rationale: """
      Just Works protects from listeners, not from someone in the middle; legacy pairing not even from a listener \
      who was there when the sides paired. The profile allows both, so nobody breaks it.
      """,
    remedy: """
      Use LE Secure Connections with keys of 16 octets, and ask for MITM protection where there is a display or a \
      keyboard on both sides.
      """,
    clause: "Core Vol 3 Part H, security levels; GLP 6.1 (S33)",
    needs: [.noLoss, .security]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "legacy pairing",
        "legacy",
        [
          .arrival, .exchangeMTU(185), .discoverGlucose, .security(from: .collector, [0x01, 4, 0, 9, 16, 0, 1]),
          .marked(.security(from: .sensor, [0x02, 3, 0, 1, 16, 0, 1])), .encrypt(), .subscribe(),
          .fetch(.all, 1...3), .farewell,
        ]
      ),
      RuleExample(
        .note,
        "legacy pairing, as the collector knows no other",
        "collector-lacks-secure-connections",
        [
          .arrival, .exchangeMTU(185), .discoverGlucose, .security(from: .collector, [0x01, 4, 0, 1, 16, 0, 1]),
          .marked(.security(from: .sensor, [0x02, 3, 0, 9, 16, 0, 1])), .encrypt(), .subscribe(),
          .fetch(.all, 1...3), .farewell,
        ]
      ),
      RuleExample(
        .note,
        "Just Works between two sides with display and keyboard",
        "no-protection-asked",
        [
          .arrival, .exchangeMTU(185), .discoverGlucose, .security(from: .collector, [0x01, 4, 0, 9, 16, 0, 0]),
          .marked(.security(from: .sensor, [0x02, 1, 0, 9, 16, 0, 0])), .encrypt(), .subscribe(),
          .fetch(.all, 1...3), .farewell,
        ]
      ),
      RuleExample(
        .note,
        "legacy pairing on a first link, on which the two only pair",
        "legacy-on-first-link",
        [
          .connect(), .security(from: .collector, [0x01, 4, 0, 9, 16, 0, 1]),
          .marked(.security(from: .sensor, [0x02, 3, 0, 1, 16, 0, 1])), .encrypt(), .farewell, .later(minutes: 1),
          .bondedReturn, .lateFetch,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "Just Works with a sensor that has neither display nor keyboard",
        "no-better-way",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  private static let fullKey: UInt8 = 16

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard subject.isHealth, let pairing = subject.security.pairing else { return .notApplicable }
    if pairing.isCut { return .inconclusive("the logger cut the packets of the pairing") }
    let weaknesses = weaknesses(pairing, subject)
    if weaknesses.isEmpty { return .pass }
    let isLate = subject.security.failure.map { $0.frame > pairing.frame } ?? false
    if isLate { return .pass }
    guard subject.security.changes.contains(where: { $0.isOn && $0.frame > pairing.frame }) else {
      return .inconclusive("the capture does not show that the pairing succeeded")
    }
    let faults = Set(weaknesses.map(\.fault))
    let fault = weaknesses.first.map(\.fault) ?? .undetermined
    let response = history.events.last { $0.kind == .pairingResponse }
    return .fail([
      Finding(
        "SEC-009",
        .note,
        faults.count == 1 ? fault : .undetermined,
        .certain,
        link: history.number,
        frames: [response?.frame ?? pairing.frame, pairing.frame],
        time: response?.time ?? history.firstTime,
        key: weaknesses.map(\.key).joined(separator: ", "),
        message: "paired by \(pairing.method.rawValue) with a key of \(pairing.keySize) octets: "
          + weaknesses.map(\.text).joined(separator: "; "),
        evidence: [
          "initiator: \(pairing.initiator.ioCapabilityName), AuthReq \(codeText(pairing.initiator.authentication))",
          "responder: \(pairing.responder.ioCapabilityName), AuthReq \(codeText(pairing.responder.authentication))",
        ]
      )
    ])
  }

  private struct Weakness {
    var key: String
    var text: String
    var fault: Fault
  }

  private func weaknesses(
    _ pairing: SecurityTimeline.Pairing,
    _ subject: borrowing LinkSubject
  ) -> [Weakness] {
    var found: [Weakness] = []
    let (initiator, responder) = (pairing.initiator, pairing.responder)
    let initiatorFault = subject.fault(of: pairing.initiatedBy)
    let responderFault = subject.fault(of: pairing.initiatedBy.other)
    if !pairing.isSecureConnections {
      let fault: Fault =
        initiator.hasSecureConnections
        ? responderFault : responder.hasSecureConnections ? initiatorFault : .undetermined
      let text =
        initiator.hasSecureConnections
        ? Self.lacking(responderFault, or: "responder")
        : responder.hasSecureConnections
          ? Self.lacking(initiatorFault, or: "initiator") : "neither side offers Secure Connections"
      found.append(Weakness(key: "legacy", text: text, fault: fault))
    }
    if pairing.method == .justWorks, pairing.canAuthenticate {
      found.append(
        Weakness(
          key: "just works",
          text: "neither side asks for MITM protection, and both could do it",
          fault: .undetermined
        )
      )
    }
    if pairing.keySize < Self.fullKey {
      let fault = initiator.maximumKeySize < responder.maximumKeySize ? initiatorFault : responderFault
      let isShared = initiator.maximumKeySize == responder.maximumKeySize
      found.append(
        Weakness(
          key: "key of \(pairing.keySize)",
          text: "the key is shorter than \(Self.fullKey) octets",
          fault: isShared ? .undetermined : fault
        )
      )
    }
    return found
  }

  /// The side that alone does without Secure Connections, by its part in pairing where it is not known which one it is.
  private static func lacking(_ fault: Fault, or role: String) -> String {
    "the \(fault == .undetermined ? role : fault.rawValue) does not offer Secure Connections"
  }
}

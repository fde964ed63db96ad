import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// SEC-002: the sensor asks for security and the collector does nothing about it.
public struct SecurityRefusalIgnored: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "SEC-002",
    name: "security-refusal-ignored",
    summary: "the sensor refuses a request for lack of security and the collector neither pairs nor encrypts",
    rationale: """
      Errors 0x05, 0x0C and 0x0F are the sensor's way to ask for pairing or encryption. A collector that takes them \
      for a failure never gets a record from this sensor, and its user is told that the meter does not work.
      """,
    remedy: """
      Collector: on 0x05 or 0x0F encrypt the link with the stored key, without one pair and bond; on 0x0C pair with \
      a longer key; then repeat the request. Sensor: ask for no more than what a pairing with both sides' input and \
      output can give: where the link is encrypted with the strongest key they allow, another pairing gives the same.
      """,
    clause: "GLP 5.2.1, GLP 5.2.2 (C15, C16)",
    needs: [.bothDirections, .noLoss, .security],
    explains: ["APP-001", "GATT-003", "CONN-008"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "the collector waits six seconds and goes",
        "waits-and-goes",
        [
          .arrival, .exchangeMTU(185), .discoverGlucose, .security(from: .sensor, [0x0B, 0x09]),
          .write(.recordAccessConfiguration, [2, 0]), .marked(.refuse(error: 0x05)), .wait(milliseconds: 6000),
          .disconnect(),
        ]
      ),
      RuleExample(
        .warning,
        "the link is encrypted with the strongest key that both sides can make, and the sensor refuses all the same",
        "no-stronger-key",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .write(.recordAccessConfiguration, [2, 0]),
          .marked(.refuse(error: 0x05)), .wait(milliseconds: 2000), .disconnect(),
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the collector pairs and asks again",
        "pairs",
        [
          .arrival, .exchangeMTU(185), .discoverGlucose, .write(.recordAccessConfiguration, [2, 0]),
          .refuse(error: 0x05), .pair(), .subscribe(), .fetch(.all, 1...6), .farewell,
        ]
      )
    ]
  }

  /// How long the collector may take to begin. Microseconds.
  private static let patience: Int64 = 5_000_000

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard subject.mayBeHealth(history) else { return .notApplicable }
    let refusals = SecurityRefusals(history, subject).all
    guard !refusals.isEmpty else { return .notApplicable }
    var ignored: [UInt32] = []
    var isDoubtful = false
    for index in refusals {
      let pdu = history.pdus[Int(index)]
      // What was tried and failed, or is under way, is another rule's business.
      if subject.efforts.isRunning(at: pdu.frame) || subject.efforts.hasFailed(before: pdu.frame) { continue }
      if let effort = subject.efforts.first(after: pdu.frame), effort.time - pdu.time <= Self.patience { continue }
      let waited = subject.watchedUntil - pdu.time
      // A collector that leaves earlier may not have seen the refusal.
      let hasLeft = subject.departure.by == .collector && waited >= history.crossing
      if waited >= Self.patience || hasLeft { ignored.append(index) } else { isDoubtful = true }
    }
    guard let first = ignored.first else {
      return isDoubtful ? .inconclusive("the capture or the link ends soon after the sensor asked for security") : .pass
    }
    return .fail([finding(first, ignored, history, subject)])
  }

  private func finding(
    _ first: UInt32,
    _ ignored: [UInt32],
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let pdu = history.pdus[Int(first)]
    let error = history.errorCode(first)
    let isNamed = history.sensor != nil && ignored.contains { history.role(history.pdus[Int($0)]) != .unknown }
    let waited = subject.watchedUntil - pdu.time
    let request = history.pdus[Int(pdu.partner)]
    let key = KeyInUse(first, history, subject)
    return Finding(
      "SEC-002",
      isNamed && key == .replaceable ? .error : .warning,
      key == .strongest ? .undetermined : .collector,
      key == .replaceable ? .certain : key == .strongest ? .possible : .likely,
      link: history.number,
      frames: ignored.map { history.frame($0) } + [request.frame],
      time: pdu.time,
      key: "\(errorText(error)) \(request.opcode.name) 0x\(hex(UInt64(request.handle), digits: 4))",
      message: "\(request.opcode.name.lowercased()) on the \(history.attributeName(request)) refused with "
        + "\(refusalText(error)), and no pairing or encryption began in \(durationText(min(waited, Self.patience)))"
        + (ignored.count > 1 ? "; refused \(timesText(ignored.count))" : ""),
      evidence: [
        "request in frame \(request.frame), refusal in frame \(pdu.frame)",
        subject.departure.by == .collector
          ? "the collector ended the link \(durationText(waited)) after the first refusal"
          : "the link was watched for \(durationText(waited)) after the first refusal",
        subject.security.securityRequest.map { "the sensor sent a Security Request in frame \($0)" }
          ?? "the sensor sent no Security Request",
      ] + key.evidence
    )
  }

  /// What the collector could still do about a refusal.
  private enum KeyInUse {
    /// The link was in the clear, or encrypted with a key that another pairing would better.
    case replaceable
    /// It was encrypted with a key that was not made on this link: it may be the strongest one.
    case unknown
    /// It was encrypted with a key as strong as both sides allow: pairing once more gives another one like it.
    case strongest

    init(_ refusal: UInt32, _ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) {
      self = .replaceable
      guard subject.security.state(at: history.frame(refusal)) == .encrypted else { return }
      guard let pairing = subject.security.pairing, !pairing.isCut else {
        self = .unknown
        return
      }
      let (initiator, responder) = (pairing.initiator.maximumKeySize, pairing.responder.maximumKeySize)
      let isBest =
        switch history.errorCode(refusal) {
        case .insufficientAuthentication: pairing.method != .justWorks || !pairing.canAuthenticate
        case .encryptionKeySize:
          subject.fault(of: pairing.initiatedBy) == .collector ? initiator >= responder : responder >= initiator
        default: true
        }
      if isBest { self = .strongest }
    }

    var evidence: [String] {
      switch self {
      case .replaceable: []
      case .unknown: ["the link was encrypted; how its key was made is not on this link"]
      case .strongest: ["the link was encrypted with a key as strong as both sides allow: pairing again gives no other"]
      }
    }
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// SEC-005: pairing fails.
public struct PairingFailed: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "SEC-005",
    name: "pairing-failed",
    summary: "the sides begin to pair and one of them ends it with Pairing Failed",
    rationale: """
      Without a bond a health sensor gives nothing. The reason in Pairing Failed tells whether the user mistyped, a \
      side refuses what the other asks for, or the stacks do not fit; apps often show one message for all of it.
      """,
    remedy: """
      Passkey or comparison failed: let the user try again. Refused by a side: put it into its pairing mode, or \
      change what the other side asks for (MITM protection, Secure Connections, key size). Show the reason.
      """,
    clause: "GLP 5.1.1, GLP 5.2.1 (S32, C15)",
    needs: [.noLoss],
    explains: ["SEC-002", "CONN-002", "APP-001"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "the sensor does not pair",
        "not-supported",
        [.arrival, .exchangeMTU(185), .discoverGlucose, .marked(.pair(failure: 0x05)), .farewell]
      ),
      RuleExample(
        .note,
        "it ends without a reason",
        "unspecified",
        [.arrival, .exchangeMTU(185), .discoverGlucose, .marked(.pair(failure: 0x08)), .farewell]
      ),
      RuleExample(
        .warning,
        "it fails on a first link, before anything shows what the device is",
        "fails-on-first-link",
        [
          .connect(), .exchangeMTU(185), .marked(.pair(failure: 0x05)), .farewell, .later(minutes: 1), .connect(),
          .pair(), .lateFetch,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "pairing succeeds",
        "succeeds",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard subject.mayBeHealth(history) else { return .notApplicable }
    var hasPaired = false
    var failures: [LinkEvent] = []
    for event in history.events {
      if event.kind == .pairingRequest { hasPaired = true }
      if event.kind == .pairingFailed { failures.append(event) }
    }
    if failures.isEmpty { return hasPaired ? .pass : .notApplicable }
    var findings: [Finding] = []
    while let first = failures.first {
      let same = failures.filter { $0.code == first.code && $0.isReceived == first.isReceived }
      failures.removeAll { $0.code == first.code && $0.isReceived == first.isReceived }
      findings.append(finding(first, same, history, subject))
    }
    return .fail(findings)
  }

  private func finding(
    _ first: LinkEvent,
    _ all: [LinkEvent],
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let reason = PairingFailure(rawValue: first.code)
    // Fingerprints keep the lower case.
    let code = "0x" + hex([first.code])
    let isCut = first.value != 0
    let told = isCut ? "for a reason that is cut," : "with \(codeText(first.code)) (\(reason.name))"
    let isPasskey = subject.security.pairing.map { $0.method != .justWorks } ?? true
    let side = subject.fault(of: first.isReceived ? .remote : .local).rawValue
    let begun = history.events.last { $0.kind == .pairingRequest && $0.frame < first.frame }
    var frames = all.map(\.frame)
    if let begun { frames.append(begun.frame) }
    // A pairing that a lost bond has brought about stands under it.
    for effort in subject.efforts.efforts where effort.hasFailed && effort.frame < first.frame {
      frames.append(effort.frame)
      if let end = effort.endFrame, end != first.frame { frames.append(end) }
    }
    var evidence = [begun.map { "pairing began in frame \($0.frame)" } ?? "the beginning of the pairing was not seen"]
    if let pairing = subject.security.pairing, !pairing.isCut, pairing.frame < first.frame {
      evidence.append(
        "method \(pairing.method.rawValue), \(pairing.initiator.ioCapabilityName) against "
          + "\(pairing.responder.ioCapabilityName)"
      )
    }
    return Finding(
      "SEC-005",
      isCut || first.code == 0x08 ? .note : .warning,
      .undetermined,
      .certain,
      link: history.number,
      frames: frames,
      time: first.time,
      key: "\(side) \(code)",
      message: "pairing ended by the \(side) \(told) \(timesText(all.count)); "
        + Self.meaning(isCut ? 0x08 : first.code, isPasskey: isPasskey),
      evidence: evidence
    )
  }

  private static func meaning(_ code: UInt8, isPasskey: Bool) -> String {
    switch code {
    case 0x01, 0x04: isPasskey ? "a passkey typed wrongly does this" : "there was no passkey to mistype"
    case 0x02: "it has no out-of-band data to pair with"
    case 0x03: "it demands more than the other side offered, such as protection against a man in the middle"
    case 0x05: "it refuses to pair in this way"
    case 0x06: "it demands a longer key than was offered"
    case 0x07: "it does not know what the other side sent"
    case 0x08: "the user may have cancelled it"
    case 0x09: "it was asked too often"
    case 0x0A: "it takes what the other side sent for invalid"
    case 0x0B: "the two computed different keys"
    case 0x0C: "its user did not accept the number"
    case 0x0D: "another pairing of the two was under way over BR/EDR"
    case 0x0E: "it does not derive keys for the other transport"
    case 0x0F: "it does not accept a key that was distributed"
    case 0x10: "it cannot pair at the moment"
    default: "the specification gives this reason no meaning"
    }
  }
}

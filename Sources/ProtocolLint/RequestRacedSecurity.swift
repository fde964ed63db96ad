import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// SEC-006: a request is sent while the link is being secured, and refused for lack of security.
public struct RequestRacedSecurity: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "SEC-006",
    name: "request-raced-security",
    summary: "a request is sent while pairing or encryption is under way, and refused for lack of security",
    rationale: """
      Until the link is encrypted the sensor can only refuse. An app that takes the refusal for an answer loses a \
      value it would have got a moment later; one that pairs on it may begin twice.
      """,
    remedy: """
      Collector: wait for the encryption before the next protected request, and repeat what was refused in between.
      """,
    clause: "good practice: no protected request before the encryption",
    needs: [.bothDirections, .noLoss, .security],
    explains: ["SEC-002", "SEC-011"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "the feature is read between Pairing Request and encryption",
        "read-while-pairing",
        [
          .arrival, .exchangeMTU(185), .discoverGlucose, .security(from: .collector, [0x01, 4, 0, 9, 16, 0, 0]),
          .security(from: .sensor, [0x02, 3, 0, 9, 16, 0, 0]), .attribute(from: .collector, [0x0A, 0x21, 0x00]),
          .marked(.attribute(from: .sensor, [0x01, 0x0A, 0x21, 0x00, 0x05])), .encrypt(), .subscribe(),
          .fetch(.all, 1...3), .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the collector waits for the encryption",
        "waits",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard subject.isHealth, !subject.efforts.efforts.isEmpty else { return .notApplicable }
    let refusals = SecurityRefusals(history, subject).all
    let raced = refusals.filter {
      subject.efforts.isRunning(at: history.frame(history.pdus[Int($0)].partner))
    }
    guard let first = raced.first else {
      return refusals.contains { subject.efforts.mayCross(history.pdus[Int($0)]) }
        ? .inconclusive(SecurityEfforts.unseenOrder) : .pass
    }
    let pdu = history.pdus[Int(first)]
    let request = history.pdus[Int(pdu.partner)]
    let error = history.errorCode(first)
    return .fail([
      Finding(
        "SEC-006",
        .note,
        .collector,
        .certain,
        link: history.number,
        frames: raced.map { history.frame($0) } + [request.frame],
        time: pdu.time,
        key: "\(errorText(error)) \(history.attributeName(request))",
        message: "\(request.opcode.name.lowercased()) on the \(history.attributeName(request)) sent while the link was "
          + "being secured, and refused with \(refusalText(error))"
          + (raced.count > 1 ? "; \(raced.count) such requests in all" : ""),
        evidence: ["request in frame \(request.frame), refusal in frame \(pdu.frame)"]
      )
    ])
  }
}

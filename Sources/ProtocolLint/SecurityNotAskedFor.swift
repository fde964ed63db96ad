import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// SEC-011: the sensor refuses a request for lack of security without having sent a Security Request.
public struct SecurityNotAskedFor: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "SEC-011",
    name: "security-not-asked-for",
    summary: "the sensor refuses a request for lack of security but never sent a Security Request",
    rationale: """
      Some collectors begin to pair only when the sensor asks for it. A sensor that waits for a request to refuse \
      costs a round on each link, and with such a collector it is never read.
      """,
    remedy: """
      Sensor: send a Security Request (SMP op code 0x0B) as soon as the link is up and not encrypted.
      """,
    clause: "GLP 6.1 (S33)",
    needs: [.bothDirections, .noLoss, .start, .security]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "the sensor refuses, and the collector pairs by itself",
        "refuses-only",
        [
          .arrival, .exchangeMTU(185), .discoverGlucose, .write(.recordAccessConfiguration, [2, 0]),
          .marked(.refuse(error: 0x05)), .pair(beginsWithSecurityRequest: false), .subscribe(), .fetch(.all, 1...6),
          .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the sensor asks first and refuses until the link is encrypted",
        "asks-first",
        [
          .arrival, .security(from: .sensor, [0x0B, 0x09]), .exchangeMTU(185), .discoverGlucose,
          .write(.recordAccessConfiguration, [2, 0]), .refuse(error: 0x05), .pair(beginsWithSecurityRequest: false),
          .subscribe(), .fetch(.all, 1...6), .farewell,
        ]
      )
    ]
  }

  /// A Security Request that comes this soon after the refusal still counts. Microseconds.
  private static let patience: Int64 = 5_000_000

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard history.sensor != nil else { return .notApplicable }
    let refusals = SecurityRefusals(history, subject).all
    guard let first = refusals.first else { return .notApplicable }
    let pdu = history.pdus[Int(first)]
    if let effort = subject.efforts.efforts.first, effort.frame < pdu.frame { return .pass }
    let effort = subject.efforts.first(after: pdu.frame)
    let decided = min(effort?.time ?? .max, pdu.time + Self.patience)
    let asked = history.events.first { $0.kind == .securityRequest }
    if let asked, asked.frame < pdu.frame || asked.time <= decided { return .pass }
    if subject.efforts.mayCross(pdu) {
      return .inconclusive(SecurityEfforts.unseenOrder)
    }
    // Sent before the collector's order had arrived, as the other end may see it.
    if let asked, let effort, asked.isReceived, asked.time - effort.time < history.crossing {
      return .inconclusive("the Security Request may have been sent before the collector began")
    }
    let isDecided = effort != nil || subject.watchedUntil >= decided || history.end.cause == .disconnected
    if !isDecided { return .inconclusive("the capture ends soon after the sensor refused a request") }
    let error = history.errorCode(first)
    let request = history.pdus[Int(pdu.partner)]
    return .fail([
      Finding(
        "SEC-011",
        .warning,
        .sensor,
        .likely,
        link: history.number,
        frames: refusals.map { history.frame($0) } + [request.frame],
        time: pdu.time,
        key: errorText(error),
        message: "refused \(countText(refusals.count, "request")) with \(refusalText(error)), the first "
          + "\(article(request.opcode.name)) \(request.opcode.name.lowercased()) on the \(history.attributeName(request)), without a Security Request before",
        evidence: [
          "request in frame \(request.frame), refusal in frame \(pdu.frame)",
          asked.map { "the first Security Request came in frame \($0.frame)" } ?? "no Security Request on this link",
          effort.map { "the collector began to secure the link in frame \($0.frame)" }
            ?? "the collector did not secure the link",
        ]
      )
    ])
  }
}

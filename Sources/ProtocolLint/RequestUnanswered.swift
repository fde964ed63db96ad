import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// GATT-015: an ATT request gets no response within 30 s.
public struct RequestUnanswered: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "GATT-015",
    name: "request-unanswered",
    summary: "an ATT request gets no response, or none within 30 s, although the link is up",
    rationale: """
      The requester may send nothing else on the bearer until the response comes, and after 30 s nothing at all. \
      For the app the device hangs.
      """,
    remedy: """
      Answer each request at once, with an Error Response where it cannot be carried out; do slow work after the \
      response.
      """,
    clause: "Core Vol 3 Part F, transaction rules",
    needs: [.bothDirections, .noLoss, .steadyClock],
    hole: """
      A response that the logger missed looks like one that was never sent, where nothing more is \
      asked on the link in 30 s. If the next request is answered, the finding is only likely.
      """,
    explains: ["RACP-004", "RACP-020"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "the write to the control point is never answered",
        "write-unanswered",
        [.firstArrival, .ask(answer: 6), .marked(.report(.all)), .wait(milliseconds: 35_000), .disconnect()]
      ),
      RuleExample(
        .error,
        "the Write Response comes after 40 s",
        "write-answered-too-late",
        [
          .firstArrival, .ask(answer: 6), .marked(.report(.all)), .wait(milliseconds: 40_000), .accept, .records(1...6),
          .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "a read is answered after 40 s, and the collector leaves",
        "read-answered-too-late",
        [
          .firstArrival, .fetch(.all, 1...6), .marked(.attribute(from: .collector, [0x0A, 0x21, 0x00])),
          .wait(milliseconds: 40_000), .attribute(from: .sensor, [0x0B, 0xFF, 0x07]), .farewell,
        ]
      ),
      RuleExample(
        .error,
        "the sensor reads from the collector, which is a server too, and gets no answer",
        "collector-does-not-answer",
        [
          .firstArrival, .fetch(.all, 1...6), .marked(.attribute(from: .sensor, [0x0A, 0x03, 0x00])),
          .wait(milliseconds: 35_000), .disconnect(),
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "each request is answered",
        "all-answered",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      ),
      RuleExample(
        "the answer takes ten seconds",
        "answered-late",
        [
          .firstArrival, .report(.all), .wait(milliseconds: 10_000), .accept, .records(1...6),
          .result(.report, .success), .confirm, .farewell,
        ]
      ).alongside("RACP-020"),
    ]
  }

  /// The time-out and a second for the logger. Microseconds.
  private static let limit = AttributeExchanges.timeout + 1_000_000

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard !history.pdus.isEmpty, subject.isHealth else { return .notApplicable }
    var reason: String?
    var findings: [Finding] = []
    let isNeverAnswered = history.neverAcceptsVisibly
    for index in subject.exchanges.unanswered {
      let pdu = history.pdus[Int(index)]
      let next = history.pdus[(Int(index) + 1)...].first {
        $0.bearer == pdu.bearer && $0.isReceived == pdu.isReceived && $0.opcode.role == .request
      }
      // Where none is ever answered, those that follow tell nothing of this one.
      let isHabit = isNeverAnswered && pdu.opcode == .writeRequest && history.role(pdu).isControlPoint
      let waited = (isHabit ? subject.watchedUntil : next?.time ?? subject.watchedUntil) - pdu.time
      if subject.hidesPDUs {
        reason = "the logger cut packets so short that a response may be among them"
      } else if waited < Self.limit {
        reason = "the capture or the link ends, or another request follows, \(durationText(waited)) after a request"
      } else if findings.count < 16 {
        let isAlive = !isHabit && next.map { $0.partner != AttributePDU.none } ?? false
        findings.append(finding(index, waited, isAlive: isAlive, history, subject))
      }
    }
    for index in subject.exchanges.answeredLate where findings.count < 16 {
      findings.append(late(index, history, subject))
    }
    if findings.isEmpty { return reason.map { .inconclusive($0) } ?? .pass }
    return .fail(findings)
  }

  private func finding(
    _ index: UInt32,
    _ waited: Int64,
    isAlive: Bool,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let pdu = history.pdus[Int(index)]
    let procedure = history.procedures.firstIndex { $0.request == index }
    return Finding(
      "GATT-015",
      .error,
      subject.fault(of: pdu.server),
      // A server that answers the next request may have answered this one, and the logger missed it.
      isAlive ? .likely : .certain,
      link: history.number,
      procedure: procedure,
      frames: [pdu.frame],
      time: pdu.time,
      key: Self.key(pdu, history),
      message:
        "\(pdu.opcode.name.lowercased()) on the \(history.attributeName(pdu)) not answered in \(durationText(waited))",
      evidence: ["request in frame \(pdu.frame); no response follows", "the link was up for \(durationText(waited))"]
        + (isAlive ? ["the next request was answered"] : [])
    )
  }

  private static func key(_ pdu: AttributePDU, _ history: borrowing LinkHistory) -> String {
    hex([pdu.opcodeValue]) + " " + hex(history.value(pdu).copied().prefix(20))
  }

  /// A response after the time-out is as good as none: the transaction has failed (Core Vol 3 Part F 3.3.3).
  private func late(_ index: UInt32, _ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> Finding {
    let pdu = history.pdus[Int(index)]
    return Finding(
      "GATT-015",
      .error,
      subject.fault(of: pdu.server),
      .certain,
      link: history.number,
      procedure: history.procedures.firstIndex { $0.request == index },
      frames: [pdu.frame, history.frame(pdu.partner)],
      time: pdu.time,
      key: Self.key(pdu, history),
      message: "\(pdu.opcode.name.lowercased()) on the \(history.attributeName(pdu)) answered only after "
        + durationText(history.time(pdu.partner) - pdu.time),
      evidence: [
        "request in frame \(pdu.frame), response in frame \(history.frame(pdu.partner))",
        "after 30 s the transaction has failed, and the response counts no more",
      ]
    )
  }
}

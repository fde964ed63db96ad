import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// SEQ-001: a record comes twice in one transfer.
public struct DuplicateRecords: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "SEQ-001",
    name: "duplicate-record",
    summary: "the sensor sends the same record or context twice in one report",
    rationale: """
      A report names each matching record once. A collector that counts notifications takes the set for complete \
      while others are missing, and one that stores them blindly has a reading twice.
      """,
    remedy: """
      Sensor: move the read position on when the notification is queued, not when it was sent; do not send a record \
      again after a full transmit buffer.
      """,
    clause: "GLS 3.1.1.2, GLS 3.4.3.4 (S9, S22)",
    needs: [.bothDirections, .noLoss],
    hole: """
      Where two reports overlap and the logger missed that the second one was accepted, the records of \
      both look like those of one.
      """
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "the third record comes twice",
        "third-twice",
        [
          .firstArrival, .report(.all), .accept, .records(1...3), .marked(.record(3)), .records(4...6),
          .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "the context of the fourth record comes twice",
        "context-twice",
        [
          .firstArrival, .report(.all), .accept, .records(1...4), .marked(.context(Meter().context(4))),
          .records(5...6), .result(.report, .success), .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "each record once",
        "each-once",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      ),
      RuleExample(
        "the collector asks twice for the same records",
        "asked-twice",
        [.firstArrival, .fetch(.all, 1...6), .fetch(.atLeast(4), 4...6), .farewell]
      ),
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    var isJudged = false
    var reason: String?
    for index in history.procedures.indices where history.procedures[index].records > 0 {
      isJudged = true
      if history.procedures[index].duplicates > 0 && !subject.standings[index].isClear {
        reason = "records of several procedures may be mixed"
      }
    }
    guard isJudged else { return .notApplicable }
    var findings: [Finding] = []
    var repeated: [Finding] = []
    let outcome = Self.contexts(history, subject)
    if case .inconclusive(let doubt) = outcome { reason = doubt }
    if Self.mayHideContexts(history) { reason = "the contexts are not named" }
    if case .fail(let contexts) = outcome {
      repeated = contexts.map { finding in
        // The first of the two, and the measurement they belong to.
        guard let anchor = finding.frames.first, let place = history.place(ofFrame: anchor), place >= 2 else {
          return finding
        }
        var finding = finding
        finding.add(frame: history.frame(place - 2))
        finding.add(frame: history.frame(place - 1))
        return finding
      }
    }
    for order in subject.transfers {
      if order.isUndecided && history.procedures[order.procedure].result == nil {
        reason = "the report is not over"
      } else if let finding = finding(order, history, subject) {
        findings.append(finding)
      } else if order.isUnclear {
        reason = "the logger cut the records"
      }
    }
    // Where the measurements come twice as well, one says it for both.
    findings += repeated.filter { context in !findings.contains { $0.procedure == context.procedure } }
    if findings.isEmpty { return reason.map { .inconclusive($0) } ?? .pass }
    return .fail(findings)
  }

  /// True where notifications that nothing names may be contexts: those of a table that shows its contexts are not.
  private static func mayHideContexts(_ history: borrowing LinkHistory) -> Bool {
    guard let sensor = history.sensor, history.database(sensor).value(0x2A34) == nil else { return false }
    if history.handles.contains(where: { $0.role == .glucoseContext && $0.server == sensor }) { return false }
    return history.handles.contains { $0.role == .unknown && $0.notifications > 0 && $0.server == sensor }
  }

  /// Contexts that came again behind themselves.
  private static func contexts(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    MisplacedContexts.check(
      history,
      subject,
      "SEQ-001",
      subject.records[.repeatedContext],
      message: "twice",
      evidence: "a measurement has one context; the same octets came directly before"
    )
  }

  private func finding(
    _ order: TransferOrder,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding? {
    guard let repeated = order.again.places.first, let (number, original) = order.firstAgain else { return nil }
    let procedure = history.procedures[order.procedure]
    let pdu = history.pdus[Int(repeated)]
    return Finding(
      "SEQ-001",
      .error,
      .sensor,
      .certain,
      link: history.number,
      procedure: order.procedure,
      frames: order.again.places.map { history.frame($0) } + [history.frame(original)],
      omitted: order.again.omitted,
      time: pdu.time,
      key: hex(subject.requests[order.procedure].octets),
      message: "sent \(countText(order.again.count, "record")) twice in \(subject.quoted(order.procedure)), "
        + "the first number \(number)",
      evidence: [
        "number \(number) in frame \(history.frame(original)) and, with the same content, in frame \(pdu.frame)",
        "\(procedure.records) deliveries of \(countText(Int(procedure.sequences.count), "record"))",
      ]
    )
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// CAP-002: the capture, or what it shows of a link, ends while something on the link is open.
public struct CaptureEndsOpen: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "CAP-002",
    name: "capture-ends-open",
    summary: "the capture ends while a request, an indication or a procedure waits for its answer",
    rationale: """
      Whether the answer came is not in the file. Rules about silence say that they could not judge. A link without an \
      end is over all the same where its controller is reset or closed, or where the two devices are linked anew: then \
      the message says so.
      """,
    remedy: """
      Let the logger run until the devices have disconnected, or for 35 s after the last packet.
      """,
    clause: "good practice: a log until the link has ended",
    needs: [],
    explains: ["GATT-008", "GATT-015", "RACP-004", "APP-003"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "the capture ends in the middle of a report",
        "ends-in-report",
        [.firstArrival, .marked(.report(.all)), .accept, .records(1...3)]
      ),
      RuleExample(
        .note,
        "the capture ends before the result is confirmed",
        "ends-before-confirmation",
        [
          .firstArrival, .report(.all), .accept, .records(1...3), .marked(.result(.report, .success)),
        ]
      ),
      RuleExample(
        .note,
        "the controller is reset in the middle of a report",
        "reset-in-report",
        [
          .firstArrival, .marked(.report(.all)), .accept, .records(1...3), .wait(milliseconds: 500), .controllerReset,
          .later(minutes: 1), .bondedArrival, .fetch(.atLeast(4), 4...6), .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the capture shows the end of the link",
        "ends-with-link",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      ),
      RuleExample(
        "the capture ends while nothing is open",
        "ends-idle",
        [.firstArrival, .fetch(.all, 1...6)]
      ),
    ]
  }

  /// What is open longer is the business of the rule concerned. Microseconds.
  private static let limit = ProcedureTimer.limit

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard subject.isHealth, history.end.cause != .open else { return .notApplicable }
    if history.end.cause == .disconnected { return .pass }
    var open: [(pdu: UInt32, what: String, since: Int64, procedure: Int?)] = []
    for index in history.procedures.indices {
      switch history.procedures[index].outcome {
      case .captureEnded, .running:
        let procedure = history.procedures[index]
        open.append((procedure.request, subject.quoted(index), procedure.lastActivity, index))
      default: continue
      }
    }
    for index in subject.exchanges.unanswered + subject.exchanges.unconfirmed {
      let pdu = history.pdus[Int(index)]
      if open.contains(where: { $0.pdu == index }) { continue }
      // Only the last one of a side can still be open.
      let isLast = !history.pdus[(Int(index) + 1)...].contains {
        $0.bearer == pdu.bearer && $0.isReceived == pdu.isReceived && $0.opcode.role == pdu.opcode.role
      }
      if isLast { open.append((index, "\(article(pdu.opcode.name)) \(pdu.opcode.name.lowercased())", pdu.time, nil)) }
    }
    let young = open.filter { subject.watchedUntil - $0.since < Self.limit }.sorted { $0.pdu < $1.pdu }
    guard let first = young.first else { return .pass }
    let age = subject.watchedUntil - first.since
    return .fail([
      Finding(
        "CAP-002",
        .note,
        .capture,
        .certain,
        link: history.number,
        procedure: first.procedure,
        otherProcedures: young.dropFirst().compactMap(\.procedure),
        frames: young.map { history.frame($0.pdu) },
        time: history.time(first.pdu),
        key: "end",
        message: "\(Self.what(history.end.cause)) while \(first.what) waits for its answer, "
          + "\(durationText(age)) after its last sign of life",
        evidence: young.map { "open since frame \(history.frame($0.pdu)): \($0.what)" }
          + ["last frame of the link: \(history.lastFrame)"] + Self.witness(history)
      )
    ])
  }

  /// What ends in the capture.
  private static func what(_ cause: LinkEnd.Cause) -> String {
    switch cause {
    case .controllerGone: "the controller is reset or closed"
    case .superseded: "the link ends unseen"
    case .open, .disconnected, .captureEnded: "the capture ends"
    }
  }

  /// What shows that a link without an end of its own is over.
  private static func witness(_ history: borrowing LinkHistory) -> [String] {
    let end = history.end.frame
    return switch history.end.cause {
    case .controllerGone: ["the controller has dropped the link with frame \(end)"]
    case .superseded where end > history.lastFrame:
      ["its end is not in the capture; frame \(end) shows that it is over"]
    case .open, .disconnected, .captureEnded, .superseded: []
    }
  }
}

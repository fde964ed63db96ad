import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-030: a request is refused by an ATT error where a result is due.
public struct RefusedOnWrongLayer: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-030",
    name: "refused-on-wrong-layer",
    summary: "the sensor refuses a request with an ATT error instead of accepting it and indicating the result",
    rationale: """
      An app takes a failed write for a broken link or a missing permission and starts over, while the result would \
      have told it which op code or operator this sensor lacks.
      """,
    remedy: """
      Sensor: accept the write, then indicate 06 with the op code and 02, 03, 04, 05 or 09. ATT errors are only for a \
      running procedure (0x80, and not for Abort), missing subscriptions (0x81) and missing security.
      """,
    clause: "GLS 3.4.4 (S26, S27)",
    needs: [.bothDirections, .noLoss]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "an optional operator is refused as a wrong length",
        "refused-by-write",
        [
          .firstArrival, .report(.first), .marked(.refuse(error: 0x0D)), .fetch(.all, 1...6), .farewell,
        ]
      ),
      RuleExample(
        .error,
        "an abort is refused because a report is running",
        "abort-refused",
        [
          .firstArrival, .report(.all), .accept, .records(1...3), .abort, .marked(.refuse(error: 0x80)),
          .records(4...6),
          .result(.report, .success), .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "an optional operator is refused by a result",
        "refused-by-result",
        [
          .firstArrival, .report(.first), .accept, .result(.report, .operatorNotSupported), .confirm,
          .fetch(.all, 1...6), .farewell,
        ]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    var refused: [Int] = []
    var isJudged = false
    var reason: String?
    for index in history.procedures.indices where history.procedures[index].dialect == .health {
      isJudged = true
      let procedure = history.procedures[index]
      guard case .refused(let error) = procedure.outcome else { continue }
      // A sensor may have nothing to prepare writes with.
      if history.pdus[Int(procedure.request)].opcode == .prepareWriteRequest { continue }
      let isAbort = isRefusedAbort(index, error, history, subject)
      guard isAbort || (isWrong(error, subject.isGlucose) && procedure.overlaps == nil),
        (2...20).contains(Int(history.pdus[Int(procedure.request)].originalLength) - 3)
      else { continue }
      // An error of this layer is right for what lacks; only its code is wrong then.
      let indications = subject.subscriptions.state(of: .recordAccess, at: procedure.request)
      let measurements = subject.subscriptions.state(of: .glucoseMeasurement, at: procedure.request)
      let security = subject.security.state(at: history.frame(procedure.request))
      let mayBeBusy = subject.standings[index].followsUnfinished && !isAbort
      if indications == .off || measurements == .off || security == .clear || mayBeBusy {
        continue
      } else if indications == .unknown || measurements == .unknown || security == .unknown {
        reason = "the capture does not show whether the request was refused for its subscriptions or security"
      } else {
        refused.append(index)
      }
    }
    guard isJudged else { return .notApplicable }
    if refused.isEmpty { return reason.map { .inconclusive($0) } ?? .pass }
    return .fail(
      RequestCase.grouped(refused, subject).map { found in
        let procedure = history.procedures[found.procedures[0]]
        let error = history.errorCode(procedure.answer ?? procedure.request)
        var finding = found.finding(
          "RACP-030",
          .error,
          .sensor,
          .certain,
          key: " refused " + errorText(error),
          message: "refused \(subject.quoted(found.procedures[0])) with the ATT error \(refusalText(error)) "
            + "instead of a result",
          evidence: [
            "request \(octetText(found.octets)) in frame \(history.frame(procedure.request)), encrypted, subscriptions on, "
              + (procedure.overlaps.map { "sent to end \(subject.quoted(Int($0)))" } ?? "nothing running")
          ],
          history
        ) { $0.answer ?? $0.request }
        if let running = procedure.overlaps {
          finding.add(frame: history.frame(history.procedures[Int(running)].request))
        }
        return finding
      }
    )
  }

  /// True for an abort that is refused as any other request would be while a procedure runs: it is what ends one.
  private func isRefusedAbort(
    _ index: Int,
    _ error: ATTError,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Bool {
    history.procedures[index].opCode == .abort && history.procedures[index].overlaps != nil
      && subject.requests[index].isWellFormed
      && (error.rawValue == 0xFE || (error.rawValue == 0x80 && subject.isGlucose))
  }

  /// Errors with which a server judges the value; 0x80 and 0x81 have a meaning of their own.
  private func isWrong(_ error: ATTError, _ isGlucose: Bool) -> Bool {
    switch error.rawValue {
    case 0x0D, 0x0E, 0x13, 0xFC, 0xFF: true
    case 0x82...0x9F: isGlucose
    default: false
    }
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// GATT-016: a service refuses with the error codes of another one.
public struct ForeignErrorCode: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "GATT-016",
    name: "foreign-error-code",
    summary: "the control point refuses with 0xFE or 0xFD where its service has 0x80 or 0x81, or the other way round",
    rationale: """
      The glucose service has its own codes for "procedure already in progress" and "CCCD improperly configured"; \
      continuous glucose monitors and pulse oximeters use the common ones. A collector that looks for the one pair \
      does not know the other, and takes a busy sensor for a broken one.
      """,
    remedy: """
      Sensor: in the glucose service answer with 0x80 while a procedure runs and with 0x81 where a subscription is \
      missing, in the others with 0xFE and 0xFD. Collector: take 0xFE for 0x80 and 0xFD for 0x81.
      """,
    clause: "GLS 1.7, GLS 3.4.4 (S27, S28), CGMS 1.8",
    needs: [.bothDirections, .noLoss]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "a missing subscription is refused with 0xFD",
        "common-code",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .report(.all), .marked(.refuse(error: 0xFD)),
          .subscribe(), .fetch(.all, 1...3), .farewell,
        ]
      ).alongside("GATT-003")
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "it is refused with 0x81",
        "own-code",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .report(.all), .refuse(error: 0x81),
          .subscribe(), .fetch(.all, 1...3), .farewell,
        ]
      ).alongside("GATT-003")
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard !history.procedures.isEmpty else { return .notApplicable }
    var refused: [(error: UInt8, answer: UInt32, procedure: Int)] = []
    var isJudged = false
    for index in history.procedures.indices {
      guard case .refused(let error) = history.procedures[index].outcome,
        let answer = history.procedures[index].answer, let service = service(index, history)
      else { continue }
      isJudged = true
      if isForeign(error, to: service, index, history, subject) { refused.append((error.rawValue, answer, index)) }
    }
    guard isJudged else { return .notApplicable }
    var findings: [Finding] = []
    for (code, due) in [(UInt8(0xFE), "0x80"), (0xFD, "0x81"), (0x80, "0xFE"), (0x81, "0xFD")] {
      let same = refused.filter { $0.error == code }
      guard let first = same.first else { continue }
      findings.append(
        Finding(
          "GATT-016",
          .warning,
          .sensor,
          .certain,
          link: history.number,
          procedure: first.procedure,
          otherProcedures: same.dropFirst().map(\.procedure),
          frames: same.map { history.frame($0.answer) },
          time: history.time(first.answer),
          key: hex([code]),
          message:
            "\(subject.quoted(first.procedure)) refused with \(refusalText(ATTError(rawValue: code))) "
            + "\(timesText(same.count)), where "
            + (code > 0x81 ? "the glucose service has" : "services like this one use") + " \(due)",
          evidence: ["request in frame \(history.frame(history.procedures[first.procedure].request))"]
        )
      )
    }
    return findings.isEmpty ? .pass : .fail(findings)
  }

  /// True for a code of other services: those of the glucose service elsewhere where they can only mean what they mean
  /// there, as each service gives them a meaning of its own.
  private func isForeign(
    _ error: ATTError,
    to service: UInt16,
    _ index: Int,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Bool {
    switch error.rawValue {
    case 0xFE, 0xFD: service == 0x1808
    case 0x80: service != 0x1808 && history.procedures[index].overlaps != nil
    case 0x81: service != 0x1808 && RequestedSubscriptions(index, history, subject).isBlocking
    default: false
    }
  }

  /// The service that the control point is known to stand in, where it is one whose codes are known.
  private func service(_ index: Int, _ history: borrowing LinkHistory) -> UInt16? {
    let database = history.database(history.procedures[index].server)
    let service = database.service(of: history.procedures[index].controlPoint)?.type.short
    return service.flatMap { [0x1808, 0x181F, 0x1822].contains($0) ? $0 : nil }
  }
}

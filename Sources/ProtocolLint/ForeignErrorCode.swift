import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// GATT-016: the glucose service refuses with the error codes of other services.
public struct ForeignErrorCode: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "GATT-016",
    name: "foreign-error-code",
    summary: "the glucose control point refuses with 0xFE or 0xFD instead of the service's own 0x80 or 0x81",
    rationale: """
      The glucose service has its own codes for "procedure already in progress" and "CCCD improperly configured". \
      A collector that looks for these does not know the common ones, and takes a busy sensor for a broken one.
      """,
    remedy: """
      Sensor: answer with 0x80 while a procedure runs, with 0x81 where a subscription is missing. Collector: take \
      0xFE for 0x80 and 0xFD for 0x81.
      """,
    clause: "GLS 1.7, GLS 3.4.4 (S27, S28)",
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
    guard subject.isGlucose, !history.procedures.isEmpty else { return .notApplicable }
    var refused: [(error: UInt8, answer: UInt32, procedure: Int)] = []
    var isJudged = false
    for index in history.procedures.indices {
      guard case .refused(let error) = history.procedures[index].outcome,
        let answer = history.procedures[index].answer, isOfGlucoseService(index, history)
      else { continue }
      isJudged = true
      if error.rawValue == 0xFE || error.rawValue == 0xFD { refused.append((error.rawValue, answer, index)) }
    }
    guard isJudged else { return .notApplicable }
    var findings: [Finding] = []
    for (code, due) in [(UInt8(0xFE), "0x80"), (0xFD, "0x81")] {
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
            "\(subject.quoted(first.procedure)) refused with 0x\(hex([code])) \(timesText(same.count)), where the "
            + "glucose service has \(due)",
          evidence: ["request in frame \(history.frame(history.procedures[first.procedure].request))"]
        )
      )
    }
    return findings.isEmpty ? .pass : .fail(findings)
  }

  /// True where the control point is known to stand in a glucose service: the other services use the common codes.
  private func isOfGlucoseService(_ index: Int, _ history: borrowing LinkHistory) -> Bool {
    let database = history.database(history.procedures[index].server)
    return database.service(of: history.procedures[index].controlPoint)?.type == BluetoothUUID(0x1808)
  }
}

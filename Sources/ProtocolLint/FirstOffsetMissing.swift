import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// CLK-011: the first measurement of a report has no Time Offset.
public struct FirstOffsetMissing: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "CLK-011",
    name: "first-offset-missing",
    summary: "the sensor leaves the Time Offset out of the first measurement of a report",
    rationale: """
      A measurement without an offset has the offset of the one before. The first of a report has none before it: \
      the collector does not know when, by the user's clock, it was taken, and shows a wrong time.
      """,
    remedy: """
      Sensor: send the Time Offset, also where it is 0, in the first measurement of each report and wherever it \
      changes.
      """,
    clause: "GLS 3.1.1.4, GLS 3.4.3.4 (S11)",
    needs: [.bothDirections, .noLoss],
    hole: """
      Where the logger missed the first measurement, the second one stands in its place, rightly without an offset: a \
      finding about one report is only likely. Where the request names the number it begins at, the jump tells.
      """
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "no measurement has an offset",
        "no-offset",
        [
          .firstArrival, .report(.all), .accept, .marked(.measurement(Meter().measurement(1, withOffset: false))),
          .measurement(Meter().measurement(2, withOffset: false)), .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "no measurement has an offset, on both links",
        "no-offset-twice",
        [
          .firstArrival, .report(.all), .accept, .marked(.measurement(Meter().measurement(1, withOffset: false))),
          .measurement(Meter().measurement(2, withOffset: false)), .result(.report, .success), .confirm, .farewell,
          .later(minutes: 60), .bondedArrival, .report(.atLeast(3)), .accept,
          .measurement(Meter().measurement(3, withOffset: false)), .result(.report, .success), .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the first measurement has it, the others do not",
        "first-has-offset",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    var missing: [Int] = []
    var isJudged = false
    var isDoubtful = false
    var isJumping = false
    var isUnsent = false
    for index in history.procedures.indices {
      let procedure = history.procedures[index]
      guard procedure.opCode == .report, procedure.dialect == .health, let first = procedure.firstRecord else {
        continue
      }
      let pdu = history.pdus[Int(first)]
      guard history.role(pdu) == .glucoseMeasurement, pdu.valueCount >= 3 else { continue }
      let number = UInt32(history.value(pdu).u16(at: 1))
      // What an abort before it left in the queue is none of this report.
      if subject.requests[index].matches(sequenceNumber: number) == false { continue }
      isJudged = true
      guard history.value(pdu).u8(at: 0) & 1 == 0 else { continue }
      if Self.begins(after: number, subject.requests[index]) {
        isJumping = true
      } else if Self.mayFollowUnsent(first, procedure, history, subject) {
        isUnsent = true
      } else if subject.standings[index].isAlone && procedure.overlaps == nil {
        missing.append(index)
      } else {
        isDoubtful = true
      }
    }
    guard isJudged else { return .notApplicable }
    guard let index = missing.first, let first = history.procedures[index].firstRecord else {
      if isJumping { return .inconclusive("the measurement that the request begins at is not in the capture") }
      if isUnsent { return .inconclusive("measurements were turned on only while the report ran") }
      return isDoubtful ? .inconclusive("the first measurement may belong to another report") : .pass
    }
    let pdu = history.pdus[Int(first)]
    return .fail([
      Finding(
        "CLK-011",
        .error,
        .sensor,
        // A single packet that the logger missed looks the same.
        missing.count > 1 ? .certain : .likely,
        link: history.number,
        procedure: index,
        otherProcedures: Array(missing.dropFirst()),
        frames: missing.compactMap { history.procedures[$0].firstRecord.map { history.frame($0) } },
        time: pdu.time,
        key: "first offset",
        message: "left the Time Offset out of the first measurement of \(countText(missing.count, "report")): number "
          + "\(history.value(pdu).u16(at: 1)) in \(subject.quoted(index))",
        evidence: ["flag bit 0 is clear in frame \(pdu.frame), the first measurement after the request"]
      )
    ])
  }

  /// True where the sensor may have left out measurements before the first one that came, as they were off until then.
  private static func mayFollowUnsent(
    _ first: UInt32,
    _ procedure: Procedure,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Bool {
    let members = procedure.members
    // A sensor that does not mind has left nothing out.
    return subject.subscriptions.state(of: .glucoseMeasurement, within: members, at: first) != .off
      && subject.subscriptions.wasOff(
        .glucoseMeasurement,
        within: members,
        between: procedure.request,
        and: first,
        history
      )
  }

  /// True where the first measurement that came is not the one that a request begins at: it may be missing.
  private static func begins(after number: UInt32, _ request: RecordAccessRequest) -> Bool {
    switch request.selection {
    case .atLeast(let minimum), .within(let minimum, _): number > minimum
    default: false
    }
  }
}

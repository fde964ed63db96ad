import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// CLK-005: a Time Offset is at the end of its range, or jumps by more than a day.
public struct ExtremeOffset: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "CLK-005",
    name: "extreme-offset",
    summary: "a Time Offset stands at the end of its range or differs by more than a day from the one before",
    rationale: """
      The user has moved the clock by days, or the meter's clock was lost and set again: the offset holds what is \
      left. At the end of the range it holds no longer what the user set, and readings appear at a wrong time.
      """,
    remedy: """
      Sensor: restrict a change of the clock to 24 hours, and flag a lost clock with annunciation bit 11. Collector: \
      read the offset as a signed number of minutes.
      """,
    clause: "GLS 3.1.1.4 (S11)",
    needs: [.bothDirections, .noLoss, .whole]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "three days later in number 3",
        "three-days",
        [
          .firstArrival, .report(.all), .accept, .records(1...2), .marked(.changedRecord(3) { $0.timeOffset = 4320 }),
          .changedRecord(5) { $0.timeOffset = 4320 }, .result(.report, .success), .confirm, .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "an hour back in number 3",
        "one-hour",
        [
          .firstArrival, .report(.all), .accept, .records(1...2), .changedRecord(3) { $0.timeOffset = -60 },
          .changedRecord(5), .result(.report, .success), .confirm, .farewell,
        ]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard subject.records.measurements > 0 else { return .notApplicable }
    let extreme = subject.records[.extremeOffset]
    let step = subject.records[.offsetStep]
    guard let first = extreme.places.first ?? step.places.first else { return .pass }
    let offset = (try? GlucoseMeasurement(decoding: history.value(history.pdus[Int(first)])))?.timeOffset
    let what = extreme.count > 0 ? "at the end of its range" : "more than a day from the one before"
    var finding = Finding.ofRecords(
      "CLK-005",
      .note,
      .certain,
      extreme.count > 0 ? extreme : step,
      key: "offset",
      message: "sent \(countText(extreme.count > 0 ? extreme.count : step.count, "Time Offset")) \(what), "
        + "such as \(offset ?? 0) minutes",
      evidence: ["an offset of \(offset ?? 0) minutes is \((offset ?? 0) / 60) hours"],
      history
    )
    if extreme.count == 0, let before = frame(ofOffsetBefore: first, history) {
      finding.add(frame: before)
    }
    return .fail([finding])
  }

  /// The frame of the last measurement with an offset before a step.
  private func frame(ofOffsetBefore step: UInt32, _ history: borrowing LinkHistory) -> UInt32? {
    let slots = RecordSlots(history)
    for place in (0..<Int(step)).reversed() {
      let pdu = history.pdus[place]
      guard Int32(pdu.attribute) == slots.measurement, pdu.opcode.role == .notification, pdu.valueCount >= 12 else {
        continue
      }
      if history.value(pdu).u8(at: 0) & 1 == 1 { return pdu.frame }
    }
    return nil
  }
}

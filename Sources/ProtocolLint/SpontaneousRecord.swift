import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-028: a measurement comes although nothing was asked for.
public struct SpontaneousRecord: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-028",
    name: "spontaneous-record",
    summary: "the sensor sends a measurement while no report is running",
    rationale: """
      Measurements are sent on request only. An app that waits for them works with this meter alone, and one that \
      does not expect them drops the reading, which no later request may bring back.
      """,
    remedy: """
      Sensor: keep a new reading until a report asks for it, and make the meter connectable so that the collector \
      comes for it.
      """,
    clause: "GLS 3.1.1, GLS 3.4.3 (S6)",
    needs: [.bothDirections, .noLoss, .whole, .start, .steadyClock]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "a measurement before any request",
        "before-request",
        [
          .firstArrival, .wait(milliseconds: 2000), .marked(.record(1)), .wait(milliseconds: 3000),
          .fetch(.all, 1...6), .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "a measurement five seconds after the report",
        "after-report",
        [
          .firstArrival, .fetch(.all, 1...6), .wait(milliseconds: 5000), .marked(.record(7)), .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "measurements come in reports only",
        "in-reports",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      ),
      RuleExample(
        "a reading taken in the second after the report",
        "right-after-report",
        [.firstArrival, .fetch(.all, 1...6), .wait(milliseconds: 1000), .record(7), .farewell]
      ),
    ]
  }

  /// What was in the queue may come for so long. Microseconds.
  private static let trail: Int64 = 2_000_000

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard subject.records.measurements > 0, subject.isGlucose else { return .notApplicable }
    var found = OddRecords()
    let slots = RecordSlots(history)
    if history.strayRecords.count > 0 { addStray(history, subject, slots, to: &found) }
    for index in history.procedures.indices where history.procedures[index].trailingRecords > 0 {
      addTrailing(index, history, subject, slots, to: &found)
    }
    guard found.count > 0 else {
      return history.procedures.contains { history.mayCrossRequest($0) }
        ? .inconclusive("a record may have been sent before the request had arrived") : .pass
    }
    // Where the control point is not named, its requests are not seen.
    let isNamed = slots.controlPoint >= 0 || history.sensor.map { history.database($0).value(0x2A52) != nil } ?? false
    guard isNamed, !history.hasVoidWrites else { return .inconclusive("the control point is not named") }
    var finding = Finding.ofRecords(
      "RACP-028",
      .warning,
      .likely,
      found,
      key: "spontaneous",
      message: "sent \(countText(found.count, "measurement")) while no report was running",
      evidence: ["no report was running, and none had ended in the 2 s before"],
      history
    )
    finding.procedure = found.places.first.flatMap { history.procedure(before: $0) }
    return .fail([finding])
  }

  /// Those before the first request of the link.
  private func addStray(
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject,
    _ slots: RecordSlots,
    to found: inout OddRecords
  ) {
    guard let start = history.place(ofFrame: history.strayRecords.firstFrame) else { return }
    var next = 0
    var unanswered: Int?
    for place in Int(start)..<history.pdus.count {
      let pdu = history.pdus[place]
      if pdu.frame > history.strayRecords.lastFrame { break }
      // The late rest of a report that never got its result is no record of its own.
      while next < history.procedures.count && Int(history.procedures[next].request) < place {
        if let standing = isUnanswered(next, history) { unanswered = standing ? next : nil }
        next += 1
      }
      guard Int32(pdu.attribute) == slots.measurement, pdu.isNotified else { continue }
      if let unanswered, isAsked(pdu, subject.requests[unanswered], history) { continue }
      found.add(UInt32(place))
    }
  }

  /// True for a report without its result; nil for a request that was not accepted and changes nothing.
  private func isUnanswered(_ index: Int, _ history: borrowing LinkHistory) -> Bool? {
    let procedure = history.procedures[index]
    if case .refused = procedure.outcome { return nil }
    return procedure.opCode == .report && procedure.outcome == .unanswered
  }

  private func isAsked(
    _ pdu: AttributePDU,
    _ request: RecordAccessRequest,
    _ history: borrowing LinkHistory
  ) -> Bool {
    pdu.valueCount < 3 || request.matches(sequenceNumber: UInt32(history.value(pdu).u16(at: 1))) != false
  }

  /// Those that came long after a result and before the next request that brings records.
  private func addTrailing(
    _ index: Int,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject,
    _ slots: RecordSlots,
    to found: inout OddRecords
  ) {
    let procedure = history.procedures[index]
    let standing = subject.standings[index]
    guard let result = procedure.result, procedure.opCode != .abort, !standing.isAborted, !standing.isOverlapping,
      procedure.outcome != .aborted
    else { return }
    let next = subject.nextDelivery(after: index, history)
    guard result < next else { return }
    var last = history.time(result)
    for place in result..<next {
      let pdu = history.pdus[Int(place)]
      guard Int32(pdu.attribute) == slots.measurement, pdu.isNotified else {
        continue
      }
      if pdu.time - last > Self.trail { found.add(place) } else { last = pdu.time }
    }
  }
}

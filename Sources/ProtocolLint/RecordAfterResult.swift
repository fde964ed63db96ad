import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-027: records come after the result that says that all have come.
public struct RecordAfterResult: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-027",
    name: "record-after-result",
    summary: "the sensor indicates success and sends records of that report afterwards",
    rationale: """
      The success indication tells the collector that the set is complete. It stores what it has, moves its mark or \
      hangs up, and the records that trail behind are lost or taken for live readings.
      """,
    remedy: """
      Sensor: queue the indication behind the last notification, on the same bearer, and send it when the last record \
      and its context have been handed to the controller.
      """,
    clause: "GLS 3.4.3.4 (S22)",
    needs: [.bothDirections, .noLoss],
    hole: """
      Where the logger missed a record of the report, a single new reading behind the result seems to be the one that \
      the count still asks for: a finding about one record is only likely.
      """,
    explains: ["RACP-008", "RACP-009", "RACP-028", "SEQ-004", "SEQ-010", "SEQ-011"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "the result comes first and the records behind it",
        "result-first",
        [
          .firstArrival, .ask(answer: 6), .report(.all), .accept, .result(.report, .success), .confirm,
          .marked(.record(1)), .records(2...6), .farewell,
        ]
      ),
      RuleExample(
        .error,
        "the last two records trail behind the result",
        "two-behind",
        [
          .firstArrival, .report(.all), .accept, .records(1...4), .result(.report, .success), .confirm,
          .marked(.record(5)), .record(6), .farewell,
        ]
      ),
      RuleExample(
        .error,
        "the last two records cross the next request, which brings them again",
        "two-behind-crossing",
        [
          .firstArrival, .report(.all), .accept, .records(1...4), .result(.report, .success), .confirm,
          .crossing(
            fromCollector: .report(.atLeast(5)),
            fromSensor: .group([.marked(.changedRecord(5)), .changedRecord(6)])
          ), .accept, .changedRecord(5, withOffset: true), .changedRecord(6), .result(.report, .success), .confirm,
          .farewell,
        ]
      ),
      RuleExample(
        .error,
        "the records come five seconds behind the result",
        "result-long-before",
        [
          .firstArrival, .ask(answer: 6), .report(.all), .accept, .result(.report, .success), .confirm,
          .wait(milliseconds: 5000), .marked(.record(1)), .records(2...6), .farewell,
        ]
      ),
      RuleExample(
        .error,
        "the records come while the collector already counts what is left",
        "behind-count",
        [
          .firstArrival, .report(.all), .accept, .result(.report, .success), .confirm, .count(.all), .accept,
          .marked(.record(1)), .records(2...6), .counted(6), .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "one more than was counted comes after the result",
        "live-reading-above-count",
        [.firstArrival, .ask(answer: 6), .fetch(.all, 1...6), .wait(milliseconds: 500), .record(7), .farewell]
      ),
      RuleExample(
        "readings that are taken hours after a report are sent as they come",
        "live-readings",
        [
          .firstArrival, .ask(answer: 6), .fetch(.all, 1...6), .wait(milliseconds: 1_800_000), .record(7),
          .wait(milliseconds: 1_800_000), .record(8), .farewell,
        ]
      ).alongside("RACP-028", "CONN-008"),
      RuleExample(
        "the result comes last",
        "result-last",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      ),
      RuleExample(
        "one new reading is taken after the transfer",
        "live-reading",
        [.firstArrival, .fetch(.all, 1...6), .wait(milliseconds: 500), .record(7), .farewell]
      ),
      RuleExample(
        "records still trail after an abort",
        "trailing-after-abort",
        [
          .firstArrival, .report(.all), .accept, .records(1...3), .abort, .accept, .result(.abort, .success), .confirm,
          .records(4...5), .farewell,
        ]
      ),
    ]
  }

  /// What was in the queue when the result was sent comes within so long of what was sent before it. Microseconds.
  private static let queue: Int64 = 2_000_000

  /// The records of one report that came behind its result.
  private struct Trail {
    var procedure: Int
    var pdus: [UInt32]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    var trails: [Trail] = []
    var isJudged = false
    // A result of a report that began before the capture.
    var isDoubtful = history.start == nil && !history.unaskedResults.isEmpty
    for index in history.procedures.indices {
      let procedure = history.procedures[index]
      guard procedure.opCode == .report, procedure.dialect == .health else { continue }
      if procedure.outcome == .aborted { isJudged = true }
      guard procedure.outcome == .success else { continue }
      isJudged = true
      if let next = subject.surroundings[index].nextDelivery, history.mayCrossRequest(history.procedures[next]) {
        isDoubtful = true
      }
      guard procedure.trailingRecords + procedure.trailingContexts > 0 else { continue }
      if isUndecided(after: index, history, subject) { isDoubtful = true }
      guard subject.standings[index].isClear else {
        isDoubtful = true
        continue
      }
      let pdus = trailing(index, history, subject)
      if !pdus.isEmpty { trails.append(Trail(procedure: index, pdus: pdus)) }
    }
    guard isJudged else { return .notApplicable }
    if trails.isEmpty && isDoubtful { return .inconclusive("records of several procedures may be mixed") }
    return trails.isEmpty ? .pass : .fail(trails.map { finding($0, history, subject) })
  }

  /// The records behind a result that it should have waited for; a single new reading is none of them.
  private func trailing(
    _ index: Int,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> [UInt32] {
    let procedure = history.procedures[index]
    guard let result = procedure.result else { return [] }
    var next = subject.nextDelivery(after: index, history)
    if isUndecided(after: index, history, subject), let request = history.procedures.last?.request { next = request }
    guard result < next else { return [] }
    var found: [UInt32] = []
    var measurements: [UInt32] = []
    // Success without a record promises one.
    let queue = procedure.records == 0 ? ProcedureTimer.length : Self.queue
    var last = history.time(result)
    for place in (result + 1)..<max(next, result + 1) {
      let pdu = history.pdus[Int(place)]
      guard pdu.opcode.role == .notification, pdu.attribute != .max, pdu.server == procedure.server else { continue }
      switch history.role(pdu) {
      case .glucoseMeasurement:
        // What comes later is new: that it was sent without a request is another matter.
        if pdu.time - last > queue { return own(found, measurements, index, history, subject) }
        last = pdu.time
        guard pdu.valueCount >= 3 else { continue }
        let number = UInt32(history.value(pdu).u16(at: 1))
        guard subject.requests[index].matches(sequenceNumber: number) != false else { continue }
        found.append(place)
        measurements.append(number)
      case .glucoseContext:
        if pdu.time - last > queue { return own(found, measurements, index, history, subject) }
        last = pdu.time
        found.append(place)
      default: continue
      }
    }
    return own(found, measurements, index, history, subject)
  }

  /// True where the next request may still turn out to be what the records that crossed it belong to.
  private func isUndecided(
    after index: Int,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Bool {
    guard history.end.cause != .disconnected, let next = subject.surroundings[index].nextDelivery,
      next == history.procedures.count - 1
    else { return false }
    let waiting = history.procedures[next]
    return waiting.result == nil && waiting.records + waiting.contexts == 0
  }

  /// What came right behind a result without what may be a single new reading.
  private func own(
    _ found: [UInt32],
    _ measurements: [UInt32],
    _ index: Int,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> [UInt32] {
    guard measurements.count == 1 else { return found }
    let before = Self.before(history.procedures[index], history)
    let isNewest = before.maximum.map { $0 < measurements[0] } ?? true
    return isNewest && mayBeNew(index, history, subject, with: before.count + 1) ? [] : found
  }

  /// The numbers that came before the result.
  private static func before(_ procedure: Procedure, _ history: borrowing LinkHistory) -> SequenceSet {
    var numbers = SequenceSet()
    guard let first = procedure.firstRecord, let last = procedure.lastRecord else { return numbers }
    for pdu in history.pdus[Int(first)...Int(last)] where pdu.server == procedure.server && pdu.valueCount >= 3 {
      if pdu.opcode.role == .notification && history.role(pdu) == .glucoseMeasurement {
        numbers.insert(UInt32(history.value(pdu).u16(at: 1)))
      }
    }
    return numbers
  }

  /// False where a record that came behind the result must have been there before: success without a record is one for
  /// it, and so is a count that it completes.
  private func mayBeNew(
    _ index: Int,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject,
    with came: UInt64
  ) -> Bool {
    let procedure = history.procedures[index]
    if procedure.records == 0 { return false }
    guard let count = subject.surroundings[index].count, case .count(let number) = history.procedures[count].outcome
    else { return true }
    return UInt64(number) != came
  }

  private func finding(
    _ trail: Trail,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let procedure = history.procedures[trail.procedure]
    let result = procedure.result ?? procedure.request
    let first = history.pdus[Int(trail.pdus[0])]
    return Finding(
      "RACP-027",
      .error,
      .sensor,
      trail.pdus.count > 1 ? .certain : .likely,
      link: history.number,
      procedure: trail.procedure,
      frames: trail.pdus.map { history.frame($0) } + [history.frame(result)],
      time: first.time,
      key: hex(subject.requests[trail.procedure].octets),
      message: "sent \(countText(trail.pdus.count, "notification")) with records "
        + "after the success of \(subject.quoted(trail.procedure)), the first "
        + "\(durationText(first.time - history.time(result))) later; \(procedure.records) had come before it",
      evidence: [
        "success in frame \(history.frame(result))",
        "first record behind it in frame \(first.frame), last in frame \(history.frame(trail.pdus[trail.pdus.count - 1]))",
      ]
    )
  }
}

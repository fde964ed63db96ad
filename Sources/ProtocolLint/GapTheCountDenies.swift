import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// SEQ-004: a report leaves out records that the sensor itself has counted.
public struct GapTheCountDenies: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "SEQ-004",
    name: "gap-the-count-denies",
    summary: "a report leaves out numbers, and the sensor's own count says that these records exist",
    rationale: """
      A gap alone is legal: the user may have deleted a reading. Where the count is higher than what came by just as \
      many as are missing in between, the records are there and were not sent.
      """,
    remedy: """
      Sensor: send every record that matches before success is indicated; hold a record back while the transmit \
      buffer is full, do not skip it. Collector: ask for the missing numbers by range.
      """,
    clause: "GLS 3.4.3.4 (S22)",
    needs: [.bothDirections, .noLoss],
    hole: """
      A record that the logger missed looks like one that the sensor left out: the finding is a warning, and likely.
      """,
    explains: ["RACP-009"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "six are counted, and number 4 does not come",
        "four-missing",
        [
          .firstArrival, .ask(answer: 6), .report(.all), .accept, .records(1...3), .marked(.record(5)), .record(6),
          .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "eight are counted from number 7 on, and the first four of them do not come",
        "first-four-missing",
        [
          .firstArrival, .fetch(.atMost(6), 1...6), .ask(.atLeast(7), answer: 8), .report(.atLeast(7)), .accept,
          .marked(.record(11)), .records(12...14), .result(.report, .success), .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the count agrees with what came: number 4 was deleted",
        "four-deleted",
        [
          .firstArrival, .ask(answer: 5), .report(.all), .accept, .records(1...3), .record(5), .record(6),
          .result(.report, .success), .confirm, .farewell,
        ]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard history.procedures.contains(where: { $0.opCode == .report }) else { return .notApplicable }
    var findings: [Finding] = []
    for index in history.procedures.indices {
      guard let compared = CountedRecords(index, history, subject), compared.counted > compared.delivered else {
        continue
      }
      let gaps = holes(index, history, subject)
      let missing = gaps.reduce(0) { $0 + $1.count }
      if missing == Int(compared.counted - compared.delivered) {
        findings.append(finding(index, compared, gaps, history, subject))
      }
    }
    if !findings.isEmpty { return .fail(findings) }
    return CountedRecords.doubt(history, subject).map { .inconclusive($0) } ?? .pass
  }

  /// The numbers that were asked for and did not come, up to the highest that did: above it, none need exist, and below
  /// the lowest only a request that names its minimum asks for some.
  private func holes(
    _ index: Int,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> [ClosedRange<UInt32>] {
    let came = history.procedures[index].sequences
    guard let lowest = came.minimum, let highest = came.maximum else { return [] }
    switch subject.requests[index].selection {
    case .atLeast(let minimum), .within(let minimum, _): return came.remainder(of: min(minimum, lowest)...highest)
    default: return came.gaps
    }
  }

  /// The record that came in the place of the first missing one.
  private func next(after number: UInt32, _ procedure: Procedure, _ history: borrowing LinkHistory) -> UInt32? {
    guard let first = procedure.firstRecord, let last = procedure.lastRecord else { return nil }
    return (first...last).first { place in
      let pdu = history.pdus[Int(place)]
      return pdu.opcode.role == .notification && history.role(pdu) == .glucoseMeasurement && pdu.valueCount >= 3
        && UInt32(history.value(pdu).u16(at: 1)) == number
    }
  }

  private func finding(
    _ index: Int,
    _ compared: CountedRecords,
    _ gaps: [ClosedRange<UInt32>],
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let procedure = history.procedures[index]
    let anchor = next(after: gaps[0].upperBound + 1, procedure, history) ?? procedure.request
    let count = history.procedures[compared.count]
    let ranges = gaps.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" }
    return Finding(
      "SEQ-004",
      .warning,
      .sensor,
      .likely,
      link: history.number,
      procedure: index,
      otherProcedures: [compared.count],
      frames: [history.frame(anchor), history.frame(count.result ?? count.request)],
      time: history.time(anchor),
      key: hex(subject.requests[index].octets) + " " + ranges.joined(separator: ","),
      message: "left \(ranges.joined(separator: ", ")) out of \(subject.quoted(index)): \(compared.delivered) of "
        + "\(compared.counted) counted records came",
      evidence: [
        "the sensor counted \(compared.counted) in frame \(history.frame(count.result ?? count.request))",
        "\(compared.delivered) different numbers came, and as many are missing up to the highest as the count has more",
        "another collector may have deleted them in between",
      ]
    )
  }
}

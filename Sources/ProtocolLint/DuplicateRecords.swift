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
    summary: "the sensor sends the same record twice in one report",
    rationale: """
      A report names each matching record once. A collector that counts notifications takes the set for complete \
      while others are missing, and one that stores them blindly has a reading twice.
      """,
    remedy: """
      Sensor: move the read position on when the notification is queued, not when it was sent; do not send a record \
      again after a full transmit buffer.
      """,
    clause: "GLS 3.1.1.2, GLS 3.4.3.4 (S9, S22)",
    needs: [.bothDirections, .noLoss]
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
      )
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
    var findings: [Finding] = []
    var isJudged = false
    var isDoubtful = false
    for index in history.procedures.indices where history.procedures[index].records > 0 {
      isJudged = true
      guard history.procedures[index].duplicates > 0 else { continue }
      if !subject.standings[index].isClear {
        isDoubtful = true
      } else if let finding = finding(index, history, subject) {
        findings.append(finding)
      }
    }
    guard isJudged else { return .notApplicable }
    if findings.isEmpty {
      return isDoubtful ? .inconclusive("records of several procedures may be mixed") : .pass
    }
    return .fail(findings)
  }

  /// What tells a record from another with its number: all but the time offset, which is sent only now and then.
  private func content(_ pdu: AttributePDU, _ history: borrowing LinkHistory) -> [UInt8] {
    var octets = history.value(pdu).copied()
    guard octets.count >= 12, octets[0] & 1 == 1 else { return octets }
    octets[0] &= ~1
    octets.removeSubrange(10..<12)
    return octets
  }

  private func finding(
    _ index: Int,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding? {
    let procedure = history.procedures[index]
    guard let first = procedure.firstRecord, let last = procedure.lastRecord else { return nil }
    var seen: [UInt16: UInt32] = [:]
    var again: [UInt32] = []
    var numbers: [UInt16] = []
    var original: UInt32?
    for place in first...last {
      let pdu = history.pdus[Int(place)]
      guard pdu.opcode.role == .notification, history.role(pdu) == .glucoseMeasurement, pdu.server == procedure.server,
        pdu.valueCount >= 3
      else { continue }
      let number = history.value(pdu).u16(at: 1)
      guard let before = seen[number] else {
        seen[number] = place
        continue
      }
      guard content(pdu, history) == content(history.pdus[Int(before)], history) else { continue }
      if original == nil { original = before }
      again.append(place)
      numbers.append(number)
    }
    guard let repeated = again.first, let original else { return nil }
    let pdu = history.pdus[Int(repeated)]
    return Finding(
      "SEQ-001",
      .error,
      .sensor,
      .certain,
      link: history.number,
      procedure: index,
      frames: again.map { history.frame($0) } + [history.frame(original)],
      frameCount: again.count,
      time: pdu.time,
      key: hex(subject.requests[index].octets),
      message:
        "sent \(countText(again.count, "record")) twice in \(subject.quoted(index)), the first number \(numbers[0])",
      evidence: [
        "number \(numbers[0]) in frame \(history.frame(original)) and, with the same content, in frame \(pdu.frame)",
        "\(procedure.records) deliveries of \(procedure.sequences.count) records",
      ]
    )
  }
}

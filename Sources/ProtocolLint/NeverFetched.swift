import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// SEQ-007: after a report that broke off, the collector asks from above what had come.
public struct NeverFetched: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "SEQ-007",
    name: "never-fetched-records",
    summary: "after a report that broke off, the next request starts above the number that had come last",
    rationale: """
      Readings between the break and the new start are lost to the user for ever, and nothing shows it: the collector \
      took an incomplete set for a complete one. This is the worst thing a health app can do to a diary.
      """,
    remedy: """
      Move the mark only to the highest number that came, and only forward record by record; after a report without \
      "success" ask again from that number + 1 on a new link.
      """,
    clause: "GLP 4.7.5.1 (C14), GLP 4.7.3",
    needs: [.bothDirections, .noLoss, .whole, .start, .identity],
    hole: """
      Where the logger missed the last record before a link broke, a collector that goes on behind it seems to leave it \
      out: a finding about a single number is a warning, and only likely.
      """,
    explains: ["APP-003", "APP-008", "APP-014", "RACP-004"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "the link is lost after 12 of 30 records, the next link asks from the 31st",
        "skipped-after-loss",
        [
          .firstArrival, .ask(answer: 30), .report(.all), .accept, .records(1...12), .wait(milliseconds: 2000),
          .linkLoss, .later(minutes: 1), .bondedArrival, .marked(.report(.atLeast(31))), .accept,
          .result(.report, .noRecordsFound), .confirm, .farewell,
        ]
      ).alongside("CONN-004"),
      RuleExample(
        .warning,
        "the app leaves in the middle, and the next time asks for what is newer",
        "skipped-after-leaving",
        [
          .firstArrival, .report(.all), .accept, .records(1...8), .disconnect(), .later(minutes: 60), .bondedArrival,
          .marked(.report(.atLeast(21))), .accept, .records(21...24), .result(.report, .success), .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the next link asks from the first number that did not come",
        "resumed-after-loss",
        [
          .firstArrival, .report(.all), .accept, .records(1...12), .wait(milliseconds: 2000), .linkLoss,
          .later(minutes: 1), .bondedArrival, .fetch(.atLeast(13), 13...30), .farewell,
        ]
      ).alongside("CONN-004"),
      RuleExample(
        "an aborted report is taken up where it stopped",
        "resumed-after-abort",
        [
          .firstArrival, .report(.all), .accept, .records(1...8), .abort, .accept, .result(.abort, .success), .confirm,
          .fetch(.atLeast(9), 9...30), .farewell,
        ]
      ),
    ]
  }

  /// A report that broke off.
  private struct Break {
    var step: DeviceStep
    /// The first number that had not come.
    var next: UInt32
    /// What the collector had received by then.
    var received: SequenceSet
  }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    var findings: [Finding] = []
    var wasJudged = false
    var isUnseen = false
    for collector in subject.collectors.indices {
      let steps = subject.steps(collector, device)
      var open: Break?
      var received = SequenceSet()
      var counted: (number: UInt32, start: UInt32, step: DeviceStep)?
      var era = -1
      for (position, step) in steps.enumerated() {
        let standing = subject.standings[step.link]
        if standing.era != era {
          era = standing.era
          open = nil
          counted = nil
          received = SequenceSet()
        }
        let procedure = device.procedure(step)
        if case .count(let number) = procedure.outcome, let start = subject.start(step) {
          counted = (number, start, step)
        }
        guard procedure.opCode == .report, !procedure.isRefused, let start = subject.start(step) else {
          received.formUnion(procedure.sequences)
          continue
        }
        if let broken = open, start > broken.next {
          if let finding = skip(broken, step, start, counted, steps[(position + 1)...], device, subject) {
            findings.append(finding)
          }
          open = nil
        }
        if open != nil { wasJudged = true }
        received.formUnion(procedure.sequences)
        if procedure.isMixed {
          open = nil
        } else if procedure.isBrokenOff {
          let known = procedure.sequences.maximum ?? open.map { $0.next &- 1 } ?? received.maximum
          open = known.map { Break(step: open?.step ?? step, next: max($0 &+ 1, open?.next ?? 0), received: received) }
        } else if procedure.isUnseen {
          if open == nil && position == steps.count - 1 { isUnseen = true }
          open = nil
        } else {
          open = nil
        }
      }
    }
    if !findings.isEmpty { return .fail(findings) }
    if wasJudged { return .pass }
    return isUnseen && device.links.count > 1
      ? .inconclusive("the capture does not show how the last report came out") : .notApplicable
  }

  private func skip(
    _ broken: Break,
    _ step: DeviceStep,
    _ start: UInt32,
    _ counted: (number: UInt32, start: UInt32, step: DeviceStep)?,
    _ later: ArraySlice<DeviceStep>,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Finding? {
    let era = subject.standings[step.link].era
    for other in later where subject.standings[other.link].era == era {
      let procedure = device.procedure(other)
      // The collector came back for them.
      if procedure.opCode == .report, !procedure.isRefused, let again = subject.start(other), again <= broken.next {
        return nil
      }
    }
    var lost = SequenceSet()
    lost.insert(broken.next...(start - 1))
    let had = broken.received.ranges.filter { $0.upperBound >= broken.next && $0.lowerBound < start }
    if had.contains(where: { $0.lowerBound <= broken.next && $0.upperBound >= start - 1 }) { return nil }
    // The meter's own count, or another delivery, proves that there was something to lose.
    var proof: String?
    if let counted, counted.start <= broken.next {
      let taken = broken.received.ranges.reduce(0) { sum, range in
        let low = max(range.lowerBound, counted.start)
        return range.upperBound < low ? sum : sum + Int(range.upperBound - low) + 1
      }
      if Int(counted.number) > taken {
        proof =
          "\(counted.number) records had been counted in "
          + device.frameText(device.procedure(counted.step).resultFrame, of: counted.step.link, from: step.link)
          + ", \(taken) had come"
      }
    }
    if proof == nil {
      for number in broken.next..<min(start, 65_536) {
        if let record = device.records[UInt16(number)], !broken.received.contains(number) {
          proof =
            "number \(number) exists: it came in "
            + device.frameText(record.frame, of: Int(record.link), from: step.link)
          break
        }
      }
    }
    let hasHistory = subject.standings[step.link].isPaired
    let before = device.procedure(broken.step)
    let range = broken.next == start - 1 ? "\(broken.next)" : "\(broken.next)–\(start - 1)"
    // A collector that goes on behind a record has had it, where the logger missed it.
    let isOne = broken.next == start - 1
    return device.finding(
      "SEQ-007",
      proof != nil && hasHistory && !isOne ? .error : .warning,
      .collector,
      proof != nil && !isOne ? .certain : .likely,
      link: step.link,
      step: step,
      frames: [device.procedure(step).requestFrame],
      others: [
        (broken.step.link, before.requestFrame), (broken.step.link, before.firstRecordFrame),
        (broken.step.link, before.lastRecordFrame),
      ],
      key: hex(subject.request(step).octets),
      message: "\(subject.quoted(step)) leaves out \(range): \(subject.quoted(broken.step)) broke off "
        + (broken.next == 0 ? "before any record" : "after number \(broken.next - 1)")
        + ", and nothing asks for the rest",
      evidence: [
        "\(subject.quoted(broken.step)) in "
          + device.frameText(before.requestFrame, of: broken.step.link, from: step.link)
          + " ended without success after \(countText(Int(before.records), "record"))",
        proof ?? "whether records \(range) exist is not in the capture",
        hasHistory
          ? "the pairing is in the capture: nothing was fetched before it"
          : "the pairing is not in the capture: they may have been fetched before it",
      ]
    )
  }
}

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
      RuleExample(
        .error,
        "the link is lost before the first of 30 records, the next link asks from the 31st",
        "skipped-everything",
        [
          .firstArrival, .ask(answer: 30), .report(.all), .accept, .wait(milliseconds: 2000), .linkLoss,
          .later(minutes: 1), .bondedArrival, .marked(.report(.atLeast(31))), .accept,
          .result(.report, .noRecordsFound), .confirm, .farewell,
        ]
      ).alongside("CONN-004"),
      RuleExample(
        .error,
        "a part of the rest is fetched, then the collector goes on behind the end",
        "resumed-in-part",
        [
          .firstArrival, .ask(answer: 30), .report(.all), .accept, .records(1...12), .wait(milliseconds: 2000),
          .linkLoss, .later(minutes: 1), .bondedArrival, .fetch(.within(13, 20), 13...20),
          .marked(.report(.atLeast(31))), .accept, .result(.report, .noRecordsFound), .confirm, .farewell,
        ]
      ).alongside("CONN-004"),
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
      RuleExample(
        "as many as were counted have come: the numbers between do not exist",
        "skipped-a-gap",
        [
          .firstArrival, .ask(answer: 23), .report(.all), .accept, .records(1...12), .wait(milliseconds: 2000),
          .linkLoss, .later(minutes: 1), .bondedArrival, .fetch(.atLeast(20), 20...30), .farewell,
        ]
      ).alongside("CONN-004"),
      RuleExample(
        "the rest comes in two parts",
        "resumed-in-parts",
        [
          .firstArrival, .ask(answer: 30), .report(.all), .accept, .records(1...12), .wait(milliseconds: 2000),
          .linkLoss, .later(minutes: 1), .bondedArrival, .fetch(.within(13, 20), 13...20),
          .fetch(.atLeast(21), 21...30), .farewell,
        ]
      ).alongside("CONN-004"),
    ]
  }

  /// A report that broke off.
  private struct Break {
    var step: DeviceStep
    /// The last number that came before; nil where none had.
    var last: UInt32?
    /// The first number that has not come since either, and the last one that was asked for.
    var next: UInt32
    var limit: UInt32
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
        if subject.beginsAnew(step, device) {
          open = nil
          counted = nil
          received = SequenceSet()
        }
        if open != nil { wasJudged = true }
        if let broken = open, start > broken.next, broken.next <= broken.limit {
          if let finding = skip(broken, step, start, counted, steps[(position + 1)...], device, subject) {
            findings.append(finding)
          }
          open = nil
        }
        received.formUnion(procedure.sequences)
        if procedure.isMixed {
          open = nil
        } else if procedure.isBrokenOff {
          open = Self.broken(step, procedure, start, subject.request(step).selection?.maximum, open, received)
        } else if procedure.isUnseen {
          if open == nil && position == steps.count - 1 { isUnseen = true }
          open = nil
        } else if let maximum = subject.request(step).selection?.maximum, procedure.outcome == .success,
          let broken = open, start <= broken.next, maximum < broken.limit
        {
          // A part of the rest has come.
          open?.next = max(broken.next, maximum + 1)
          open?.received = received
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

  private static func broken(
    _ step: DeviceStep,
    _ procedure: DeviceProcedure,
    _ start: UInt32,
    _ maximum: UInt32?,
    _ open: Break?,
    _ received: SequenceSet
  ) -> Break {
    let known = procedure.sequences.maximum ?? open.flatMap { $0.next > 0 ? $0.next - 1 : nil } ?? received.maximum
    // Where nothing has come at all, the same has to be asked for again.
    let next = known.map { $0 &+ 1 } ?? start
    return Break(
      step: open?.step ?? step,
      last: procedure.sequences.maximum ?? open?.last,
      next: max(next, open?.next ?? 0),
      limit: max(maximum ?? .max, open?.limit ?? 0),
      received: received
    )
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
    let end = min(start - 1, broken.limit)
    if broken.received.remainder(of: broken.next...end).isEmpty { return nil }
    var all = broken.received
    all.formUnion(device.procedure(step).sequences)
    for other in later where subject.standings[other.link].era == era {
      all.formUnion(device.procedure(other).sequences)
    }
    // The meter's own count, or another delivery, proves that there was something to lose.
    var proof: String?
    if let counted, counted.start <= broken.next {
      let taken = all.count(in: counted.start...max(counted.start, 65_535))
      // As many as were counted have come: what lies between does not exist.
      if Int(counted.number) == taken { return nil }
      if Int(counted.number) > taken {
        proof =
          "\(counted.number) records had been counted in "
          + device.frameText(device.procedure(counted.step).resultFrame, of: counted.step.link, from: step.link)
          + ", \(taken) had come"
      }
    }
    if proof == nil {
      for number in broken.next..<min(end &+ 1, 65_536) {
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
    let range = rangesText([broken.next...end])
    return device.finding(
      "SEQ-007",
      proof != nil && hasHistory ? .error : .warning,
      .collector,
      proof != nil ? .certain : .likely,
      link: step.link,
      step: step,
      frames: [device.procedure(step).requestFrame],
      others: [
        (broken.step.link, before.requestFrame), (broken.step.link, before.firstRecordFrame),
        (broken.step.link, before.lastRecordFrame),
      ],
      key: hex(subject.request(step).octets),
      message: "\(subject.quoted(step)) leaves out \(range): \(subject.quoted(broken.step)) broke off "
        + (broken.last.map { "after number \($0)" } ?? "before any record")
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

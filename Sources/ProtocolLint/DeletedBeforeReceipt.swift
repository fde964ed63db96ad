import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-019: records are deleted that the collector has not received.
public struct DeletedBeforeReceipt: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-019",
    name: "delete-before-receipt",
    summary: "the collector deletes stored records that it has not received",
    rationale: """
      What is deleted on the meter is gone for every collector. A report that broke off gives no right to delete: the \
      rest of its records existed nowhere else.
      """,
    remedy: """
      Delete only after a report of the same records has ended with success and what came has been stored durably; \
      better do not delete at all.
      """,
    clause: "GLP 4.7.5.1 (C14)",
    needs: [.bothDirections, .noLoss, .whole, .start, .identity],
    explains: ["APP-009", "SEQ-007", "APP-014"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "everything is deleted after an aborted report",
        "deleted-after-abort",
        [
          .firstArrival, .report(.all), .accept, .records(1...8), .abort, .accept, .result(.abort, .success), .confirm,
          .marked(.delete(.all)), .accept, .result(.delete, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "everything is deleted without having been fetched",
        "deleted-unfetched",
        [
          .firstArrival, .ask(answer: 30), .marked(.delete(.all)), .accept, .result(.delete, .success), .confirm,
          .farewell,
        ]
      ),
      RuleExample(
        .error,
        "five new readings are counted and deleted unread",
        "deleted-new",
        [
          .firstArrival, .fetch(.all, 1...12), .farewell, .later(minutes: 60), .bondedArrival, .ask(answer: 17),
          .marked(.delete(.all)), .accept, .result(.delete, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "a finished report of half of the records, and all are deleted",
        "deleted-half-read",
        [
          .firstArrival, .ask(answer: 12), .fetch(.atMost(6), 1...6), .marked(.delete(.all)), .accept,
          .result(.delete, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "more is deleted than fits below the range that was kept",
        "deleted-below-report",
        [
          .firstArrival, .ask(answer: 20), .fetch(.atLeast(16), 16...20), .marked(.delete(.atLeast(11))), .accept,
          .result(.delete, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "what was skipped after a lost link is deleted",
        "deleted-after-skip",
        [
          .firstArrival, .ask(answer: 20), .report(.all), .accept, .records(1...8), .wait(milliseconds: 2000),
          .linkLoss, .later(minutes: 1), .bondedArrival, .fetch(.atLeast(15), 15...20), .marked(.delete(.all)), .accept,
          .result(.delete, .success), .confirm, .farewell,
        ]
      ).alongside("CONN-004"),
      RuleExample(
        .error,
        "only the last one is fetched, and all are deleted",
        "deleted-but-last",
        [
          .firstArrival, .fetch(.all, 1...12), .farewell, .later(minutes: 60), .bondedArrival, .ask(answer: 17),
          .fetch(.last, 17...17), .marked(.delete(.all)), .accept, .result(.delete, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "the newest one is deleted after a report that broke off",
        "deleted-newest",
        [
          .firstArrival, .report(.all), .accept, .records(1...8), .abort, .accept, .result(.abort, .success), .confirm,
          .marked(.delete(.last)), .accept, .result(.delete, .success), .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "deleted after a report with success",
        "deleted-after-success",
        [
          .firstArrival, .fetch(.all, 1...6), .delete(.all), .accept, .result(.delete, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        "only what came is deleted",
        "deleted-what-came",
        [
          .firstArrival, .report(.all), .accept, .records(1...8), .abort, .accept, .result(.abort, .success), .confirm,
          .delete(.atMost(8)), .accept, .result(.delete, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        "as many came as were counted, and only the result was missing",
        "deleted-all-that-was-counted",
        [
          .firstArrival, .ask(answer: 8), .report(.all), .accept, .records(1...8), .abort, .accept,
          .result(.abort, .success), .confirm, .delete(.all), .accept, .result(.delete, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        "the sensor counts one too many each time",
        "deleted-after-overcount",
        [
          .firstArrival, .ask(answer: 9), .fetch(.all, 1...8), .ask(answer: 9), .delete(.all), .accept,
          .result(.delete, .success), .confirm, .farewell,
        ]
      ).alongside("RACP-009"),
      RuleExample(
        "what had been deleted is counted no more",
        "deleted-again",
        [
          .firstArrival, .ask(answer: 8), .fetch(.all, 1...8), .delete(.all), .accept, .result(.delete, .success),
          .confirm, .farewell, .later(minutes: 60), .bondedArrival, .ask(answer: 3), .fetch(.atLeast(9), 9...11),
          .delete(.all), .accept, .result(.delete, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        "the oldest and the newest one, after all had come",
        "deleted-ends",
        [
          .firstArrival, .fetch(.all, 1...6), .delete(.first), .accept, .result(.delete, .success), .confirm,
          .delete(.last), .accept, .result(.delete, .success), .confirm, .farewell,
        ]
      ),
    ]
  }

  /// Why a delete is wrong.
  private enum Reason {
    /// The report of these records had broken off.
    case brokenOff(DeviceStep)
    /// More were counted than came.
    case counted(StoreKnowledge.Shortfall)
    /// No report of these records is there.
    case unasked(SequenceSet)
  }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    let hasDelete = device.links.indices.contains { link in
      device.links[link].procedures.contains { $0.opCode == .delete && $0.dialect == .health }
    }
    guard hasDelete else { return .notApplicable }
    var findings: [Finding] = []
    var wasJudged = false
    var doubt: String?
    for collector in subject.collectors.indices {
      let others = deletes(otherThan: collector, device, subject)
      var known = StoreKnowledge()
      var era = -1
      var link = -1
      var isWhole = true
      for step in subject.steps(collector, device) {
        let standing = subject.standings[step.link]
        if standing.era != era {
          era = standing.era
          known = StoreKnowledge()
          isWhole = true
        }
        if step.link != link {
          link = step.link
          known.take(device.links[link].strays)
          isWhole = isWhole && device.links[link].facts.isSuperset(of: [.bothDirections, .noLoss, .whole])
        }
        let procedure = device.procedure(step)
        let selection = subject.request(step).selection
        switch (procedure.opCode, procedure.outcome) {
        case (.count, .count(let number)): known.counted(number, step, selection)
        case (.report, _) where !procedure.isRefused: known.reported(procedure, step, selection)
        case (.delete, .success):
          if let other = others.last(where: { $0 < procedure.startTime }) { known.dropCounts(before: other, device) }
          let range = known.deleted(selection)
          if let range {
            let canCount = isWhole && !known.isUnseen && !hasRestarted(by: step, device)
            switch verdict(range, known, canCount: canCount, isPaired: standing.isPaired, device) {
            case .wrong(let reason): findings.append(finding(step, reason, known, device, subject))
            case .doubtful(let reason): doubt = reason
            case .right: wasJudged = true
            }
          }
          known.delete(StoreKnowledge.range(selection))
        case (.delete, .failed), (.delete, .noRecords), (.delete, .refused): break
        case (.delete, _): known.delete(nil)
        default: break
        }
      }
    }
    if !findings.isEmpty { return .fail(findings) }
    if let doubt { return .inconclusive(doubt) }
    return wasJudged ? .pass : .notApplicable
  }

  /// When other collectors have deleted records, in ascending order.
  private func deletes(
    otherThan collector: Int,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> [Int64] {
    var times: [Int64] = []
    for other in subject.collectors.indices where other != collector {
      for step in subject.steps(other, device) where device.procedure(step).opCode == .delete {
        times.append(device.procedure(step).startTime)
      }
    }
    return times.sorted()
  }

  /// True where the numbers had begun anew: what came under them before are other records.
  private func hasRestarted(by step: DeviceStep, _ device: borrowing DeviceHistory) -> Bool {
    device.records.restarts.contains { Int($0.new.link) <= step.link }
  }

  private enum Verdict {
    case right
    case wrong(Reason)
    case doubtful(String)
  }

  private func verdict(
    _ deleted: ClosedRange<UInt32>,
    _ known: StoreKnowledge,
    canCount: Bool,
    isPaired: Bool,
    _ device: borrowing DeviceHistory
  ) -> Verdict {
    if canCount && isPaired, let shortfall = known.shortfall(deleted) { return .wrong(.counted(shortfall)) }
    let open = known.open(deleted)
    if open.isEmpty || (canCount && known.isComplete(deleted)) { return .right }
    let latest = known.reports.last { report in open.contains { $0.overlaps(report.range) } }
    if let latest {
      let report = device.procedure(latest.step)
      if report.isMixed || report.isUnseen {
        return .doubtful("the capture does not show how the report of the deleted records came out")
      }
      return .wrong(.brokenOff(latest.step))
    }
    if known.reports.contains(where: { $0.range.overlaps(deleted) }) { return .right }
    guard isPaired else { return .doubtful("what the collector had received before is not in the capture") }
    return .wrong(.unasked(known.received))
  }

  private func finding(
    _ step: DeviceStep,
    _ reason: Reason,
    _ known: StoreKnowledge,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Finding {
    let procedure = device.procedure(step)
    let isPaired = subject.standings[step.link].isPaired
    var isCertain = isPaired
    var message = "\(subject.quoted(step)) succeeded"
    var evidence: [String] = []
    var others: [(link: Int, frame: UInt32)] = []
    switch reason {
    case .brokenOff(let report):
      let before = device.procedure(report)
      message += " although \(subject.quoted(report)) had broken off"
      message += before.sequences.maximum.map { " after number \($0)" } ?? " before any record"
      message += ": whatever it had not sent can never be fetched"
      evidence.append(
        "\(subject.quoted(report)) in " + device.frameText(before.requestFrame, of: report.link, from: step.link)
          + " ended without success after \(countText(Int(before.records), "record"))"
      )
      others = [(report.link, before.requestFrame), (report.link, before.lastRecordFrame)]
    case .counted(let shortfall):
      let count = device.procedure(shortfall.count)
      // Without any report the collector may know the records by other means.
      isCertain = isPaired && !known.received.isEmpty
      message +=
        " although of \(shortfall.counted) counted records "
        + (shortfall.received == 0 ? "none" : "only \(shortfall.received)") + " had come: "
        + "\(shortfall.missing) can never be fetched"
      evidence.append(
        "counted in " + device.frameText(count.resultFrame, of: shortfall.count.link, from: step.link)
          + "; what had not come is among " + rangesText(shortfall.ranges)
      )
      others = [(shortfall.count.link, count.requestFrame), (shortfall.count.link, count.resultFrame)]
    case .unasked(let received):
      isCertain = false
      message +=
        " in frame \(procedure.resultFrame), and "
        + (received.isEmpty
          ? "no report of these records is in the capture" : "only \(rangesText(received.ranges)) had come")
    }
    evidence.append(
      isPaired
        ? "the pairing is in the capture: nothing was fetched before it"
        : "the pairing is not in the capture: records may have been fetched before it"
    )
    return device.finding(
      "RACP-019",
      isCertain ? .error : .warning,
      .collector,
      isCertain ? .certain : .likely,
      link: step.link,
      step: step,
      frames: [procedure.requestFrame, procedure.resultFrame],
      others: others,
      key: hex(subject.request(step).octets),
      message: message,
      evidence: evidence
    )
  }
}

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
    hole: """
      Where the logger missed the last record before a report broke off, a collector that deletes up to it seems to \
      delete what it has not received: a finding about the next number alone is a warning, and only likely. Where it \
      missed a record of a finished report, a count seems to be one too high.
      """,
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
        "the sensor leaves four of 30 counted records out and says success, and the collector deletes all",
        "deleted-with-a-gap",
        [
          .firstArrival, .ask(answer: 30), .report(.all), .accept, .records(1...6), .records(10...19),
          .records(21...30),
          .result(.report, .success), .confirm, .marked(.delete(.all)), .accept, .result(.delete, .success), .confirm,
          .farewell,
        ]
      ).alongside("SEQ-004"),
      RuleExample(
        .error,
        "the collector turns the measurements off after 5 of 30, and deletes all",
        "deleted-after-turning-off",
        [
          .firstArrival, .ask(answer: 30), .report(.all), .accept, .records(1...5),
          .subscribe([.measurement], isOn: false),
          .result(.report, .success), .confirm, .marked(.delete(.all)), .accept, .result(.delete, .success), .confirm,
          .farewell,
        ]
      ).alongside("GATT-003", "GATT-004"),
      RuleExample(
        .error,
        "the two only pair on the first link, and on the second everything is deleted after an aborted report",
        "deleted-since-pairing",
        [
          .pairingAlone, .bondedReturn, .discoverGlucose, .subscribe(), .ask(answer: 30), .report(.all), .accept,
          .records(1...8), .abort, .accept, .result(.abort, .success), .confirm, .marked(.delete(.all)), .accept,
          .result(.delete, .success), .confirm, .farewell,
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
        .warning,
        "the pairing is not in the capture, and 8 of 30 counted records came before all are deleted",
        "deleted-after-abort-unpaired",
        [
          .bondedArrival, .discoverGlucose, .subscribe(), .ask(answer: 30), .report(.all), .accept, .records(1...8),
          .abort, .accept, .result(.abort, .success), .confirm, .marked(.delete(.all)), .accept,
          .result(.delete, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "the pairing is not in the capture, and 30 records are counted and deleted",
        "deleted-unfetched-unpaired",
        [
          .bondedArrival, .discoverGlucose, .subscribe(), .ask(answer: 30), .marked(.delete(.all)), .accept,
          .result(.delete, .success), .confirm, .farewell,
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
        .warning,
        "numbers 7 to 9 were never asked for, and number 10 shows that there were some",
        "deleted-unasked",
        [
          .firstArrival, .fetch(.atMost(6), 1...6), .marked(.delete(.atMost(9))), .accept, .result(.delete, .success),
          .confirm, .fetch(.all, 10...12), .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "ten of 30 counted records are not asked for, and a range that may hold them is deleted",
        "deleted-range-unasked",
        [
          .firstArrival, .ask(answer: 30), .fetch(.within(1, 20), 1...20), .marked(.delete(.within(1, 30))), .accept,
          .result(.delete, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "the report broke off before its first record, and all are deleted",
        "deleted-after-nothing",
        [
          .firstArrival, .ask(answer: 12), .report(.all), .accept, .wait(milliseconds: 2000), .linkLoss,
          .later(minutes: 1), .bondedArrival, .marked(.delete(.all)), .accept, .result(.delete, .success), .confirm,
          .farewell,
        ]
      ).alongside("CONN-004"),
      RuleExample(
        .warning,
        "readings since the last visit may be among those that did not come",
        "deleted-after-broken-repeat",
        [
          .firstArrival, .ask(answer: 12), .fetch(.all, 1...12), .farewell, .later(minutes: 600), .bondedArrival,
          .report(.all), .accept, .records(1...5), .abort, .accept, .result(.abort, .success), .confirm,
          .marked(.delete(.all)), .accept, .result(.delete, .success), .confirm, .farewell,
        ]
      ).alongside("EFF-001"),
      RuleExample(
        .error,
        "the report of the new ones broke off",
        "deleted-after-broken-increment",
        [
          .firstArrival, .fetch(.all, 1...12), .farewell, .later(minutes: 600), .bondedArrival, .report(.atLeast(13)),
          .accept, .records(13...14), .abort, .accept, .result(.abort, .success), .confirm, .marked(.delete(.all)),
          .accept, .result(.delete, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "unread records of a count that has begun anew",
        "deleted-after-restart",
        [
          .firstArrival, .fetch(.all, 1...12), .farewell, .later(minutes: 60), .selectMeter(Self.renewed),
          .bondedArrival, .fetch(.all, 1...3), .farewell, .later(minutes: 60), .bondedArrival, .ask(answer: 5),
          .marked(.delete(.all)), .accept, .result(.delete, .success), .confirm, .farewell,
        ]
      ).alongside("SEQ-009"),
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

  private static let renewed: Meter = {
    var meter = Meter()
    meter.firstBaseTime += 86_400 * 10
    return meter
  }()

  public var passing: [RuleExample] {
    [
      RuleExample(
        "all had come in a report before the one that broke off",
        "deleted-after-second-report",
        [
          .firstArrival, .ask(answer: 12), .fetch(.all, 1...12), .report(.all), .accept, .records(1...5), .abort,
          .accept, .result(.abort, .success), .confirm, .delete(.all), .accept, .result(.delete, .success), .confirm,
          .farewell,
        ]
      ),
      RuleExample(
        "all had come on the link before, and the count says so",
        "deleted-after-counted-repeat",
        [
          .firstArrival, .fetch(.all, 1...12), .farewell, .later(minutes: 60), .bondedArrival, .ask(answer: 12),
          .report(.all), .accept, .records(1...5), .abort, .accept, .result(.abort, .success), .confirm, .delete(.all),
          .accept, .result(.delete, .success), .confirm, .farewell,
        ]
      ).alongside("EFF-001"),
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
    /// The report of these records had broken off; where all up to a number had come before, whether there are newer
    /// ones is not known.
    case brokenOff(DeviceStep, newerThan: UInt32?)
    /// More were counted than came.
    case counted(StoreKnowledge.Shortfall)
    /// The same where the report that left them out ended with success.
    case denied(StoreKnowledge.Shortfall)
    /// No report of these records is there.
    case unfetched
    /// A part of them was never asked for; more were counted than came, where a count says so.
    case unasked([ClosedRange<UInt32>], counted: Int?)
  }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    let hasDelete = device.links.indices.contains { link in
      device.links[link].procedures.contains { $0.opCode == .delete && $0.dialect == .health }
    }
    guard hasDelete else { return .notApplicable }
    var findings: [Finding] = []
    var wasJudged = false
    var doubt: String?
    let deletes = CollectorDeletes(device, subject)
    for series in subject.series {
      let collector = series.collector
      let steps = series.steps
      let isNumbered = series.source.isNumbered
      let restarts = steps.map { subject.restarts(by: $0, device) }
      let ahead = Self.highestAhead(steps, restarts, device)
      var known = StoreKnowledge()
      var era = -1
      var begun = 0
      var link = -1
      var isWhole = true
      for (position, step) in steps.enumerated() {
        let standing = subject.standings[step.link]
        if standing.era != era {
          era = standing.era
          known = StoreKnowledge()
          isWhole = true
        }
        if restarts[position] != begun {
          begun = restarts[position]
          known = StoreKnowledge()
        }
        if step.link != link {
          var strays = SequenceSet()
          subject.addStrays(of: collector, on: (link + 1)..<(step.link + 1), era: era, to: &strays, device)
          if isNumbered { known.take(strays) }
          link = step.link
          isWhole = isWhole && device.links[link].facts.isSuperset(of: [.bothDirections, .noLoss, .whole])
        }
        let procedure = device.procedure(step)
        let selection = subject.request(step).selection
        switch (procedure.opCode, procedure.outcome) {
        case (.count, .count(let number)): known.counted(number, step, selection)
        case (.report, _) where !procedure.isRefused: known.reported(procedure, step, selection)
        case (.delete, .success):
          if let other = deletes.last(before: procedure.startTime, otherThan: collector) {
            known.dropCounts(before: other, device)
          }
          let range = known.deleted(selection)
          if !isNumbered, let reason = unread(series, range, selection, known, device) {
            doubt = reason
          } else if let range {
            let verdict = verdict(
              range,
              known,
              max(known.received.maximum ?? 0, ahead[position]),
              isSingle: selection == .first || selection == .last,
              canCount: isWhole && !known.isUnseen && isNumbered,
              isPaired: standing.isPaired,
              device
            )
            switch verdict {
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

  /// The highest number that came in each step or behind it on its link, as long as the count did not begin anew: what
  /// is known to exist soon after it; 0 where none came.
  private static func highestAhead(
    _ steps: [DeviceStep],
    _ restarts: [Int],
    _ device: borrowing DeviceHistory
  ) -> [UInt32] {
    var highest = [UInt32](repeating: 0, count: steps.count)
    for position in steps.indices.reversed() {
      highest[position] = device.procedure(steps[position]).sequences.maximum ?? 0
      let next = position + 1
      guard next < steps.count, steps[next].link == steps[position].link, restarts[next] == restarts[position]
      else { continue }
      highest[position] = max(highest[position], highest[next])
    }
    return highest
  }

  /// Why nothing can be said of a delete where the numbers of the records are not read; nil where the requests and
  /// their results alone decide.
  private func unread(
    _ series: RequestSeries,
    _ deleted: ClosedRange<UInt32>?,
    _ selection: RecordSelection?,
    _ known: StoreKnowledge,
    _ device: borrowing DeviceHistory
  ) -> String? {
    let reason = series.unreadReason
    guard series.source != .unknown, selection != .first, selection != .last, let deleted else { return reason }
    let open = known.open(deleted)
    guard !open.isEmpty else { return nil }
    let latest = known.reports.lastIndex { report in open.contains { $0.overlaps(report.range) } }
    guard let latest else { return known.reports.isEmpty ? nil : reason }
    // What came later may be the rest; and as many as were counted may have come.
    if known.reports[(latest + 1)...].contains(where: \.isFinished) { return reason }
    let came = known.reports[...latest].reduce(0) { $0 + Int(device.procedure($1.step).records) }
    return known.mayBeComplete(with: came) ? reason : nil
  }

  private enum Verdict {
    case right
    case wrong(Reason)
    case doubtful(String)
  }

  private func verdict(
    _ deleted: ClosedRange<UInt32>,
    _ known: StoreKnowledge,
    _ highest: UInt32,
    isSingle: Bool,
    canCount: Bool,
    isPaired: Bool,
    _ device: borrowing DeviceHistory
  ) -> Verdict {
    if canCount, var shortfall = known.shortfall(deleted) {
      // A collector that does not begin at the first record has what is below from before.
      guard isPaired || shortfall.isNew || known.firstStart ?? 0 == 0 else {
        return .doubtful("what the collector had received before is not in the capture")
      }
      if isSingle {
        shortfall.missing = 1
        shortfall.isExact = true
      }
      return .wrong(.counted(shortfall))
    }
    if canCount, let denied = known.denied, denied.ranges.contains(where: deleted.overlaps) {
      return .wrong(.denied(denied))
    }
    let open = known.open(deleted)
    if open.isEmpty { return .right }
    let latest = known.reports.last { report in open.contains { $0.overlaps(report.range) } }
    if canCount && known.isComplete(deleted, since: latest?.step.link ?? 0) { return .right }
    if let latest {
      let report = device.procedure(latest.step)
      if report.isMixed || report.isUnseen {
        return .doubtful("the capture does not show how the report of the deleted records came out")
      }
      // Where all had come before, there is only a loss if there were new readings.
      let highest = known.received.maximum ?? 0
      let hasFinished = known.reports.contains {
        $0.isFinished && $0.range.lowerBound <= latest.range.lowerBound && $0.range.upperBound >= highest
      }
      let isRepeat =
        hasFinished && latest.range.lowerBound <= highest && (report.sequences.maximum ?? 0) < highest
        && open.allSatisfy { $0.lowerBound > highest }
      return .wrong(.brokenOff(latest.step, newerThan: isRepeat ? highest : nil))
    }
    guard isPaired else {
      return known.reports.contains { $0.range.overlaps(deleted) }
        ? .right : .doubtful("what the collector had received before is not in the capture")
    }
    if !known.hasReport(of: deleted) { return .wrong(.unfetched) }
    let counted = canCount ? known.outstanding(deleted) : nil
    let unasked = known.unasked(deleted, upTo: counted == nil ? highest : deleted.upperBound)
    if !unasked.isEmpty { return .wrong(.unasked(unasked, counted: counted)) }
    return .doubtful("whether records exist that were deleted and never asked for is not in the capture")
  }

  /// Numbers, the last range perhaps without an end.
  private static func text(_ ranges: [ClosedRange<UInt32>]) -> String {
    guard let last = ranges.last, last.upperBound == StoreKnowledge.last else { return rangesText(ranges) }
    let start = "\(last.lowerBound) and above"
    return ranges.count == 1 ? start : rangesText(Array(ranges.dropLast())) + ", " + start
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
    // Where the logger lost packets, what had come before may have come whole.
    let isWhole = device.links[...step.link].allSatisfy {
      !$0.hasRecordTraffic || $0.facts.contains([.noLoss, .whole])
    }
    var isCertain = isPaired && isWhole
    var message = "\(subject.quoted(step)) succeeded"
    var evidence: [String] = []
    var others: [(link: Int, frame: UInt32)] = []
    switch reason {
    case .brokenOff(let report, let highest):
      let before = device.procedure(report)
      message += " although \(subject.quoted(report)) had broken off"
      message += before.sequences.maximum.map { " after number \($0)" } ?? " before any record"
      // Where it deletes up to the record after the last one that is there, the logger may have missed that one.
      if let next = before.sequences.maximum.map({ $0 + 1 }),
        let range = StoreKnowledge.range(subject.request(step).selection),
        range.upperBound == next
      {
        isCertain = false
      }
      if let highest {
        isCertain = false
        message += ": what is newer than number \(highest) can never be fetched"
        evidence.append("all up to number \(highest) had come before; newer ones were neither counted nor asked for")
      } else {
        message += ": whatever it had not sent can never be fetched"
      }
      evidence.append(
        "\(subject.quoted(report)) in " + device.frameText(before.requestFrame, of: report.link, from: step.link)
          + " broke off after \(countText(Int(before.records), "record"))"
      )
      others = [(report.link, before.requestFrame), (report.link, before.lastRecordFrame)]
    case .counted(let shortfall), .denied(let shortfall):
      let count = device.procedure(shortfall.count)
      // Without any report the collector may know the records by other means.
      isCertain = isPaired && isWhole && known.hasReport(of: 0...StoreKnowledge.last)
      if case .denied = reason {
        isCertain = false
        evidence.append("the report of them ended with success: the sensor left them out, and the count told of them")
      }
      message +=
        " although of \(shortfall.counted) counted records "
        + (shortfall.received == 0 ? "none" : "only \(shortfall.received)") + " had come: "
        + (shortfall.isExact ? "" : "at least ") + "\(shortfall.missing) can never be fetched"
      evidence.append(
        "counted in " + device.frameText(count.resultFrame, of: shortfall.count.link, from: step.link)
          + "; what was deleted and had not come is among " + Self.text(shortfall.ranges)
      )
      others = [(shortfall.count.link, count.requestFrame), (shortfall.count.link, count.resultFrame)]
    case .unfetched:
      isCertain = false
      message += " in frame \(procedure.resultFrame), and no report of these records is in the capture"
    case .unasked(let ranges, let counted):
      isCertain = false
      message += " in frame \(procedure.resultFrame), and no report has asked for \(rangesText(ranges))"
      evidence.append(
        "only \(rangesText(known.received.ranges)) had come; "
          + (counted.map { "\($0) records had been counted, and where the others are is not known" }
            ?? "whether the others were there was not counted")
      )
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

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// APP-014: readings taken while the app was away are never asked for.
public struct LeavesRecordsBehind: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "APP-014",
    name: "leaves-records-behind",
    summary: "the collector asks only for records beyond those that follow the ones it has",
    rationale: """
      Readings that were taken while the app was away stay on the meter: the app takes the newest one, or starts \
      above its mark, and the diary has a hole that nothing shows.
      """,
    remedy: """
      Ask from the highest number of the last finished report + 1, however long ago that was; never for the last \
      record alone.
      """,
    clause: "GLP 4.7.3 (C7)",
    needs: [.bothDirections, .noLoss, .whole, .start, .identity]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "20 are stored, 12 are known, and only the last one is fetched",
        "only-the-last",
        [
          .firstArrival, .fetch(.all, 1...12), .farewell, .later(minutes: 60), .bondedArrival, .ask(answer: 20),
          .marked(.report(.last)), .accept, .record(20), .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "nothing but the last one is ever fetched",
        "ever-the-last",
        [
          .firstArrival, .ask(answer: 12), .fetch(.last, 12...12), .farewell, .later(minutes: 600), .bondedArrival,
          .ask(answer: 20), .marked(.report(.last)), .accept, .record(20), .result(.report, .success), .confirm,
          .farewell,
        ]
      ),
      RuleExample(
        .note,
        "the next report starts above the mark",
        "starts-above-the-mark",
        [
          .firstArrival, .fetch(.all, 1...12), .farewell, .later(minutes: 60), .bondedArrival,
          .marked(.report(.atLeast(17))), .accept, .records(17...20), .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "20 are counted, 12 are known, and the request starts above all that there are",
        "starts-above-everything",
        [
          .firstArrival, .fetch(.all, 1...12), .farewell, .later(minutes: 60), .bondedArrival, .ask(answer: 20),
          .marked(.report(.atLeast(0x0D00))), .accept, .result(.report, .noRecordsFound), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "above the mark after the count had begun anew",
        "above-the-mark-of-a-restart",
        [
          .firstArrival, .fetch(.all, 1...20), .farewell, .later(minutes: 60), .selectMeter(Self.renewed),
          .bondedArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .bondedArrival, .ask(answer: 12),
          .marked(.report(.atLeast(10))), .accept, .records(10...12), .result(.report, .success), .confirm, .farewell,
        ]
      ).alongside("SEQ-009"),
    ]
  }

  private static let renewed: Meter = {
    var meter = Meter()
    meter.firstBaseTime += 86_400 * 10
    meter.minutesApart = 60
    return meter
  }()

  public var passing: [RuleExample] {
    [
      RuleExample(
        "everything since the last visit",
        "everything-since",
        [
          .firstArrival, .fetch(.all, 1...12), .farewell, .later(minutes: 60), .bondedArrival, .ask(answer: 20),
          .fetch(.atLeast(13), 13...20), .farewell,
        ]
      ),
      RuleExample(
        "as many as were counted have come: the numbers between do not exist",
        "gap-above-the-mark",
        [
          .firstArrival, .fetch(.all, 1...12), .farewell, .later(minutes: 60), .bondedArrival, .ask(answer: 16),
          .fetch(.atLeast(17), 17...20), .farewell,
        ]
      ),
      RuleExample(
        "the last one first, then the rest",
        "last-then-rest",
        [
          .firstArrival, .fetch(.all, 1...12), .farewell, .later(minutes: 60), .bondedArrival, .fetch(.last, 20...20),
          .fetch(.atLeast(13), 13...20), .farewell,
        ]
      ),
    ]
  }

  /// A request that left records out.
  private struct Gap {
    var step: DeviceStep
    var left: ClosedRange<UInt32>
    /// The finished report that the mark comes from.
    var mark: DeviceStep
  }

  /// What is known of one collector's reports under one bond and one count.
  private struct Progress {
    var highest: UInt32?
    var mark: DeviceStep?
    var gap: Gap?
    var received = SequenceSet()
    /// The last count of all records, and its link.
    var stored: (number: UInt32, link: Int)?
  }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    var findings: [Finding] = []
    var wasJudged = false
    var mayComeBack = false
    for series in subject.numbered {
      let collector = series.collector
      var known = Progress()
      var bond = -1
      var restarts = 0
      var nextLink = 0
      for step in series.steps {
        let isNewBond = subject.standings[step.link].bond != bond
        if isNewBond || subject.restarts(by: step, device) != restarts {
          if let found = finding(known, device, subject) { findings.append(found) }
          bond = subject.standings[step.link].bond
          restarts = subject.restarts(by: step, device)
          known = Progress()
        }
        if step.link >= nextLink {
          let era = subject.standings[step.link].era
          subject.addStrays(of: collector, on: nextLink..<(step.link + 1), era: era, to: &known.received, device)
          nextLink = step.link + 1
        }
        take(step, &known, &wasJudged, device, subject)
      }
      guard let gap = known.gap, let found = finding(known, device, subject) else { continue }
      if subject.mayGoOn(after: gap.step, device) { mayComeBack = true } else { findings.append(found) }
    }
    if !findings.isEmpty { return .fail(findings) }
    if mayComeBack { return .inconclusive("the capture ends while the collector may still ask for the rest") }
    return subject.outcome(wasJudged: wasJudged) { $0.hasRepetition(device) }
  }

  private func take(
    _ step: DeviceStep,
    _ known: inout Progress,
    _ wasJudged: inout Bool,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) {
    let procedure = device.procedure(step)
    let selection = subject.request(step).selection
    if case .count(let number) = procedure.outcome, selection == .all { known.stored = (number, step.link) }
    if procedure.opCode == .delete, case .success = procedure.outcome {
      known.stored = nil
      if let range = StoreKnowledge.range(selection) { known.received.remove(range) }
    }
    guard procedure.opCode == .report, !procedure.isRefused else { return }
    let start = subject.start(step)
    if let highest = known.highest, let before = known.mark {
      wasJudged = true
      let first = selection == .last ? procedure.sequences.minimum : start
      if let first, first > highest + 1, !procedure.sequences.isEmpty || isShort(step, procedure, known, subject) {
        if known.gap == nil { known.gap = Gap(step: step, left: (highest + 1)...(first - 1), mark: before) }
      } else if let start, start <= highest + 1 {
        known.gap = nil
      }
    }
    known.received.formUnion(procedure.sequences)
    // What broke off is judged by its own rule.
    if procedure.isBrokenOff || procedure.isUnseen || procedure.isMixed {
      known.highest = nil
      known.mark = nil
    } else if case .success = procedure.outcome, let start, known.gap == nil {
      if known.highest.map({ start <= $0 + 1 }) ?? (start == 0 || start <= known.received.minimum ?? 0) {
        known.highest = max(known.highest ?? 0, procedure.sequences.maximum ?? 0)
        known.mark = step
      }
    } else if case .success = procedure.outcome, selection == .last, known.gap == nil, known.highest == nil {
      // One that only ever fetches the last record has no other mark.
      known.highest = procedure.sequences.maximum
      known.mark = known.highest == nil ? nil : step
    }
  }

  /// True for a request that finds nothing, although the sensor has just counted more than had come.
  private func isShort(
    _ step: DeviceStep,
    _ procedure: DeviceProcedure,
    _ known: Progress,
    _ subject: borrowing DeviceSubject
  ) -> Bool {
    guard procedure.outcome == .noRecords, subject.standings[step.link].isPaired, let stored = known.stored else {
      return false
    }
    return stored.link == step.link && UInt64(stored.number) > known.received.count
  }

  /// The finding about records that were left out for good; nil where there is none, where as many came as there were,
  /// or where another collector has fetched them: that the two compete is another matter.
  private func finding(
    _ known: Progress,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Finding? {
    guard let gap = known.gap, !known.received.remainder(of: gap.left).isEmpty else { return nil }
    if let stored = known.stored, stored.link >= gap.step.link, UInt64(stored.number) <= known.received.count {
      return nil
    }
    let collector = subject.standings[gap.step.link].collector
    let others = subject.collectors.indices.filter { $0 != collector }
    for other in others {
      var fetched = SequenceSet()
      for link in subject.collectors[other] where link <= gap.step.link {
        fetched.formUnion(device.links[link].received)
      }
      if fetched.remainder(of: gap.left).isEmpty { return nil }
    }
    return finding(gap, known.stored?.number ?? 0, known.received, device, subject)
  }

  private func finding(
    _ gap: Gap,
    _ stored: UInt32,
    _ received: SequenceSet,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Finding {
    let isProven = UInt64(stored) > received.count && subject.standings[gap.step.link].isPaired
    let procedure = device.procedure(gap.step)
    let before = device.procedure(gap.mark)
    let range = gap.left.count == 1 ? "\(gap.left.lowerBound)" : "\(gap.left.lowerBound)–\(gap.left.upperBound)"
    // Of a long range most numbers may belong to no record.
    let missing = UInt64(stored) > received.count ? UInt64(stored) - received.count : 0
    let what =
      missing > 0 && missing < UInt64(gap.left.count)
      ? "\(countText(Int(missing), "counted record")) from number \(gap.left.lowerBound) on" : range
    return device.finding(
      "APP-014",
      isProven ? .warning : .note,
      .collector,
      .likely,
      link: gap.step.link,
      step: gap.step,
      frames: [procedure.requestFrame, procedure.resultFrame],
      others: [(gap.mark.link, before.requestFrame), (gap.mark.link, before.resultFrame)],
      key: hex(procedure.octets),
      message:
        "\(subject.quoted(gap.step)) leaves out \(what): "
        + (subject.request(gap.mark).selection == .last ? "number" : "numbers up to")
        + " \(gap.left.lowerBound - 1) had come, and nothing asks for the rest",
      evidence: [
        "the report before ended with success in "
          + device.frameText(before.resultFrame, of: gap.mark.link, from: gap.step.link),
        stored > 0
          ? "\(stored) records were counted, \(received.count) have come"
          : "the stored records were not counted: whether \(range) exist is not in the capture",
      ]
    )
  }
}

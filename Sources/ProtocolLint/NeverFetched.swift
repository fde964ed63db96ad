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
        .error,
        "the two only pair on the first link, the second is lost after 12 of 30 records, and the third asks from the 31st",
        "skipped-since-pairing",
        [
          .pairingAlone, .bondedReturn, .discoverGlucose, .subscribe(), .ask(answer: 30), .report(.all), .accept,
          .records(1...12), .wait(milliseconds: 2000), .linkLoss, .later(minutes: 1), .bondedReturn,
          .marked(.report(.atLeast(31))), .accept, .result(.report, .noRecordsFound), .confirm, .farewell,
        ]
      ).alongside("CONN-004"),
      RuleExample(
        .warning,
        "the link is lost, and the next one fetches the last record alone",
        "last-after-loss",
        [
          .firstArrival, .ask(answer: 30), .report(.all), .accept, .records(1...12), .wait(milliseconds: 2000),
          .linkLoss, .later(minutes: 1), .bondedArrival, .marked(.report(.last)), .accept, .record(30),
          .result(.report, .success), .confirm, .farewell,
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
      RuleExample(
        .error,
        "all were fetched and deleted before, and of 30 new ones 12 come before the link is lost",
        "skipped-after-delete",
        [
          .firstArrival, .fetch(.all, 1...30), .delete(.all), .accept, .result(.delete, .success), .confirm, .farewell,
          .later(minutes: 600), .bondedArrival, .ask(answer: 30), .report(.all), .accept, .records(31...42),
          .wait(milliseconds: 2000), .linkLoss, .later(minutes: 1), .bondedArrival, .marked(.report(.atLeast(61))),
          .accept, .result(.report, .noRecordsFound), .confirm, .farewell,
        ]
      ).alongside("CONN-004"),
      RuleExample(
        .error,
        "the user has cleared the meter, and of 30 new records 12 come before the link is lost",
        "skipped-after-clearing",
        [
          .firstArrival, .fetch(.all, 1...30), .farewell, .later(minutes: 600), .bondedArrival, .ask(answer: 30),
          .report(.all), .accept, .records(31...42), .wait(milliseconds: 2000), .linkLoss, .later(minutes: 1),
          .bondedArrival, .marked(.report(.atLeast(61))), .accept, .result(.report, .noRecordsFound), .confirm,
          .farewell,
        ]
      ).alongside("CONN-004"),
      RuleExample(
        .error,
        "the collector turns the measurements off after 5 of 30, and the next link asks from the 31st",
        "skipped-after-turning-off",
        [
          .firstArrival, .ask(answer: 30), .report(.all), .accept, .records(1...5),
          .subscribe([.measurement], isOn: false),
          .result(.report, .success), .confirm, .farewell, .later(minutes: 60), .bondedArrival, .subscribe(),
          .marked(.report(.atLeast(31))), .accept, .result(.report, .noRecordsFound), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "a report breaks off, the one for the rest breaks off too, and the third leaves a part out",
        "skipped-after-second-loss",
        [
          .firstArrival, .ask(answer: 30), .report(.all), .accept, .records(1...6), .wait(milliseconds: 2000),
          .linkLoss, .later(minutes: 1), .bondedArrival, .report(.atLeast(7)), .accept, .records(7...12),
          .wait(milliseconds: 2000), .linkLoss, .later(minutes: 1), .bondedArrival, .marked(.report(.atLeast(21))),
          .accept, .records(21...30), .result(.report, .success), .confirm, .farewell,
        ]
      ).alongside("CONN-004"),
      RuleExample(
        .error,
        "a part of the rest is fetched after it was skipped, and the other part never",
        "came-back-in-part",
        [
          .firstArrival, .ask(answer: 30), .report(.all), .accept, .records(1...12), .wait(milliseconds: 2000),
          .linkLoss, .later(minutes: 1), .bondedArrival, .marked(.report(.atLeast(31))), .accept,
          .result(.report, .noRecordsFound), .confirm, .fetch(.within(13, 20), 13...20), .farewell,
        ]
      ).alongside("CONN-004"),
      RuleExample(
        .error,
        "records trail behind an abort, and the collector goes on behind the last one",
        "skipped-after-trailing",
        [
          .firstArrival, .ask(answer: 30), .report(.all), .accept, .records(1...8), .abort, .accept,
          .result(.abort, .success), .confirm,
          .crossing(
            fromCollector: .marked(.report(.last)),
            fromSensor: .group([.changedRecord(9), .changedRecord(10)])
          ), .accept, .record(30), .result(.report, .success), .confirm, .fetchNothing(.atLeast(31)), .farewell,
        ]
      ),
      RuleExample(
        .error,
        "the next link asks by time, and leaves out what the count says is there",
        "skipped-by-time",
        [
          .firstArrival, .ask(answer: 30), .report(.all), .accept, .records(1...12), .wait(milliseconds: 2000),
          .linkLoss, .later(minutes: 1), .bondedArrival,
          .marked(.report(.since(Meter().measurement(21, withOffset: false).baseTime))), .accept, .records(21...30),
          .result(.report, .success), .confirm, .farewell,
        ]
      ).alongside("CONN-004", "CLK-012"),
      RuleExample(
        .error,
        "the controller is reset after 12 of 30 records, the next link asks from the 31st",
        "skipped-after-reset",
        [
          .firstArrival, .ask(answer: 30), .report(.all), .accept, .records(1...12), .wait(milliseconds: 500),
          .controllerReset, .later(minutes: 1), .bondedArrival, .marked(.report(.atLeast(31))), .accept,
          .result(.report, .noRecordsFound), .confirm, .farewell,
        ]
      ).alongside("CAP-002"),
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
        "all had come on an earlier link",
        "known-before-the-break",
        [
          .firstArrival, .ask(answer: 30), .fetch(.all, 1...30), .farewell, .later(minutes: 60), .bondedArrival,
          .report(.all), .accept, .records(1...9), .wait(milliseconds: 2000), .linkLoss, .later(minutes: 1),
          .bondedArrival, .fetch(.atLeast(31), 31...32), .farewell,
        ]
      ).alongside("CONN-004", "EFF-001"),
      RuleExample(
        "two readings were taken since the count, and the numbers between do not exist",
        "skipped-a-gap-and-grown",
        [
          .firstArrival, .ask(answer: 23), .report(.all), .accept, .records(1...12), .wait(milliseconds: 2000),
          .linkLoss, .later(minutes: 1), .bondedArrival, .fetch(.atLeast(20), 20...32), .farewell,
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
      RuleExample(
        "the rest comes after a reset of the controller",
        "resumed-after-reset",
        [
          .firstArrival, .ask(answer: 30), .report(.all), .accept, .records(1...12), .wait(milliseconds: 500),
          .controllerReset, .later(minutes: 1), .bondedArrival, .fetch(.atLeast(13), 13...30), .farewell,
        ]
      ).alongside("CAP-002"),
    ]
  }

  /// What is left of a report that broke off, and of later ones that were to bring the rest and broke off as well.
  private struct Break {
    /// The first of them: what was counted before it may be out of date.
    var step: DeviceStep
    /// The last of them that asked for all that was left.
    var latest: DeviceStep
    /// The last number that came in the latest one; nil where none did.
    var last: UInt32?
    /// The numbers that were asked for and neither came nor are known not to exist; never empty.
    var rest: [ClosedRange<UInt32>]
    /// True where the capture does not show how the report came out: more may have come than it holds.
    var isUnseen = false
  }

  /// A number of stored records that the sensor has told.
  private struct Count {
    /// Its place among the collector's procedures.
    var position: Int
    var range: ClosedRange<UInt32>
    var number: Int
  }

  /// What is known of one collector's reports, as far as the walk over them has come.
  private struct Progress {
    var open: Break?
    /// What had come.
    var received = SequenceSet()
    /// The numbers of which all records that there were at the time have come.
    var settled = SequenceSet()
    var counts: [Count] = []
  }

  private enum Verdict {
    case right
    case skipped(Finding)
    case unseen
  }

  /// Findings about one device: what a hostile file has beyond is left out.
  private static let limit = 64

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    let outcome = judge(device, subject)
    if case .fail = outcome { return outcome }
    guard subject.hasNewBond, case .fail = judge(device, DeviceSubject(device, separatingBonds: true)) else {
      return outcome
    }
    // An app may keep its diary over a new bond, or begin with an empty one.
    return .inconclusive("whether the collector still has what came under an earlier bond is not in the capture")
  }

  private func judge(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    var findings: [Finding] = []
    var wasJudged = false
    var reason: String?
    for series in subject.numbered {
      let collector = series.collector
      let steps = series.steps
      var ahead: NumbersAhead?
      var known = Progress()
      var era = -1
      var restarts = 0
      var nextLink = 0
      for (position, step) in steps.enumerated() {
        let isNewEra = subject.standings[step.link].era != era
        if isNewEra || subject.restarts(by: step, device) != restarts {
          era = subject.standings[step.link].era
          restarts = subject.restarts(by: step, device)
          known = Progress()
        }
        if step.link >= nextLink {
          subject.addStrays(of: collector, on: nextLink..<(step.link + 1), era: era, to: &known.received, device)
          nextLink = step.link + 1
        }
        let procedure = device.procedure(step)
        let asked = Self.asked(subject.request(step).selection, procedure)
        if case .count(let number) = procedure.outcome, let asked {
          known.counts.append(Count(position: position, range: asked, number: Int(number)))
        }
        if procedure.opCode == .delete, procedure.outcome == .success {
          if let asked { known.received.remove(asked) }
          known.counts = []
        }
        guard procedure.opCode == .report, !procedure.isRefused, let asked else {
          known.received.formUnion(procedure.sequences)
          continue
        }
        if let broken = known.open {
          if !broken.isUnseen { wasJudged = true }
          let left = broken.rest.filter { $0.lowerBound < asked.lowerBound }.map {
            $0.lowerBound...min($0.upperBound, asked.lowerBound - 1)
          }
          var isSettled = !left.isEmpty
          if !left.isEmpty && findings.count < Self.limit {
            let numbers = ahead ?? NumbersAhead(collector, steps, device, subject)
            ahead = numbers
            switch skip(broken, left, position, steps, known, numbers, device, subject) {
            case .right: isSettled = asked.lowerBound > broken.rest[broken.rest.count - 1].upperBound
            case .skipped where broken.isUnseen:
              reason = "the capture does not show how the report before the request that leaves records out came out"
            case .skipped(let finding): findings.append(finding)
            case .unseen: reason = "the capture does not show what came of the request that leaves records out"
            }
          }
          if isSettled {
            known.open = nil
          } else if !left.isEmpty {
            // What lies above is still open: a later request may leave a part of it out.
            known.open?.rest = broken.rest.filter { $0.upperBound >= asked.lowerBound }.map {
              max($0.lowerBound, asked.lowerBound)...$0.upperBound
            }
          }
        }
        take(step, procedure, asked, &known)
        let isLast = position == steps.count - 1
        if isLast && procedure.isUnseen && !wasJudged && device.links.count > 1 {
          reason = "the capture does not show how the last report came out"
        }
      }
    }
    if !findings.isEmpty { return .fail(findings) }
    if let reason { return .inconclusive(reason) }
    return subject.outcome(wasJudged: wasJudged) { $0.hasResumption(device) }
  }

  /// The numbers a request is about: the last record, and the first one since a time, move the mark of a collector that
  /// goes on from the highest number.
  private static func asked(_ selection: RecordSelection?, _ procedure: DeviceProcedure) -> ClosedRange<UInt32>? {
    switch selection {
    case .last, .since:
      guard procedure.outcome == .success, !procedure.isMixed, let number = procedure.sequences.minimum else {
        return nil
      }
      return number...max(number, StoreKnowledge.last)
    default: return StoreKnowledge.range(selection)
    }
  }

  /// Takes over what a report brought.
  private func take(
    _ step: DeviceStep,
    _ procedure: DeviceProcedure,
    _ asked: ClosedRange<UInt32>,
    _ known: inout Progress
  ) {
    let receivedBefore = known.received
    known.received.drop(below: procedure, asked)
    known.received.formUnion(procedure.sequences)
    if procedure.isMixed {
      known.open = nil
      return
    }
    if procedure.isBrokenOff || procedure.isUnseen {
      var reached = known.settled
      reached.formUnion(receivedBefore)
      // The oldest come first: up to the last one nothing is missing.
      if let highest = procedure.sequences.maximum, highest >= asked.lowerBound {
        known.settled.insert(asked.lowerBound...min(highest, asked.upperBound))
        reached.insert(asked.lowerBound...min(highest, asked.upperBound))
      }
      // What one of which the end is not seen has left is no matter for one of which it is.
      let before = known.open.flatMap { $0.isUnseen && !procedure.isUnseen ? nil : $0 }
      var came = SequenceSet()
      came.insert(asked)
      let unasked = (before?.rest ?? []).flatMap { came.remainder(of: $0) }
      let earlier = unasked.isEmpty ? nil : before
      var rest = unasked + reached.remainder(of: asked)
      rest.sort { $0.lowerBound < $1.lowerBound }
      known.open =
        rest.isEmpty
        ? nil
        : Break(
          step: before?.step ?? step,
          latest: earlier?.latest ?? step,
          last: earlier.map(\.last) ?? procedure.sequences.maximum,
          rest: rest,
          isUnseen: procedure.isUnseen
        )
      return
    }
    switch procedure.outcome {
    case .success, .noRecords: break
    // A request that was not carried out changes nothing.
    default: return
    }
    // Later readings have higher numbers than all that exist.
    if let highest = known.received.maximum, highest >= asked.lowerBound {
      known.settled.insert(asked.lowerBound...min(highest, asked.upperBound))
    }
    guard let broken = known.open else { return }
    var came = SequenceSet()
    came.insert(asked)
    let rest = broken.rest.flatMap { came.remainder(of: $0) }
    if rest.isEmpty { known.open = nil } else { known.open?.rest = rest }
  }

  /// Judges a report that begins above what a broken-off one has left.
  private func skip(
    _ broken: Break,
    _ left: [ClosedRange<UInt32>],
    _ position: Int,
    _ steps: [DeviceStep],
    _ known: Progress,
    _ ahead: NumbersAhead,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Verdict {
    let step = steps[position]
    // The collector came back for them, or they came all the same. Some sensors begin with number 1.
    let first = ahead.neverSeen(left, from: position, step, device, subject)
      .flatMap { known.received.remainder(of: $0) }
    if first.isEmpty || first == [0...0] { return .right }
    let lost = ahead.neverSeen(
      leftOut(broken, from: position, steps, device, subject),
      from: position,
      step,
      device,
      subject
    )
    .flatMap { known.received.remainder(of: $0) }
    // The meter's own count, or another delivery, proves that there was something to lose.
    var proof = elsewhere(lost, step, device, subject)
    if proof == nil && !known.counts.isEmpty {
      let received = received(known, position, steps, device, subject)
      for count in known.counts.reversed() where steps[count.position].link >= broken.step.link {
        guard lost.allSatisfy({ count.range.contains($0.lowerBound) && count.range.contains($0.upperBound) }) else {
          continue
        }
        let came = received.count(in: count.range)
        // As many as were counted have come: what lies between does not exist.
        if count.number <= came { return .right }
        let skipping = device.procedure(step)
        if skipping.isUnseen { return .unseen }
        if count.number - came > elsewhereOpen(count, lost, received, steps, device, subject) {
          let frame = device.procedure(steps[count.position]).resultFrame
          proof =
            "\(count.number) records had been counted in "
            + device.frameText(frame, of: steps[count.position].link, from: step.link) + ", \(came) have come"
        }
        break
      }
    }
    // As long as the link is up it may still come back for them.
    let goesOn =
      !subject.mayGoOn(after: step, device)
      && (subject.request(step).selection != .last || goesOnAbove(lost, after: position, steps, subject))
    return .skipped(finding(broken, lost, step, proof, goesOn: goesOn, device, subject))
  }

  /// What is left of a broken-off report below the highest start of all requests from one on: that one and the later ones
  /// may leave out several parts.
  private func leftOut(
    _ broken: Break,
    from position: Int,
    _ steps: [DeviceStep],
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> [ClosedRange<UInt32>] {
    let era = subject.standings[steps[position].link].era
    let restarts = subject.restarts(by: steps[position], device)
    var highest: UInt32 = 0
    for step in steps[position...] {
      guard subject.standings[step.link].era == era, subject.restarts(by: step, device) == restarts else { break }
      let procedure = device.procedure(step)
      guard procedure.opCode == .report, !procedure.isRefused,
        let asked = Self.asked(subject.request(step).selection, procedure)
      else { continue }
      // What a later report leaves when it breaks off is a matter of its own.
      highest = max(highest, asked.lowerBound)
      if procedure.isBrokenOff { break }
    }
    return broken.rest.filter { $0.lowerBound < highest }.map { $0.lowerBound...min($0.upperBound, highest - 1) }
  }

  /// True where one of the next requests names a number above the lost ones: the last record has become the mark.
  private func goesOnAbove(
    _ lost: [ClosedRange<UInt32>],
    after position: Int,
    _ steps: [DeviceStep],
    _ subject: borrowing DeviceSubject
  ) -> Bool {
    let highest = lost.last?.upperBound ?? 0
    for step in steps[(position + 1)...].prefix(Self.limit) {
      if let range = StoreKnowledge.range(subject.request(step).selection), range.lowerBound > highest { return true }
    }
    return false
  }

  /// The numbers that have come to the collector by the end of the capture.
  private func received(
    _ known: Progress,
    _ position: Int,
    _ steps: [DeviceStep],
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> SequenceSet {
    let step = steps[position]
    let era = subject.standings[step.link].era
    let restarts = subject.restarts(by: step, device)
    var received = known.received
    let collector = subject.standings[step.link].collector
    subject.addStrays(of: collector, on: step.link..<device.links.count, era: era, to: &received, device)
    for other in steps[position...]
    where subject.standings[other.link].era == era && subject.restarts(by: other, device) == restarts {
      received.formUnion(device.procedure(other).sequences)
    }
    return received
  }

  /// A record of those that are lost to the collector, which another one has fetched.
  private func elsewhere(
    _ lost: [ClosedRange<UInt32>],
    _ step: DeviceStep,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> String? {
    guard device.records.restarts.isEmpty else { return nil }
    for range in lost where range.lowerBound <= StoreKnowledge.last {
      for number in range.lowerBound...min(range.upperBound, StoreKnowledge.last) {
        guard let record = device.records[UInt16(number)] else { continue }
        return "number \(number) exists: it came in "
          + device.frameText(record.frame, of: Int(record.link), from: step.link)
      }
    }
    return nil
  }

  /// How many counted records may still lie where neither the lost ones nor those that came are.
  private func elsewhereOpen(
    _ count: Count,
    _ lost: [ClosedRange<UInt32>],
    _ received: SequenceSet,
    _ steps: [DeviceStep],
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Int {
    var known = received
    for range in lost { known.insert(range) }
    let era = subject.standings[steps[count.position].link].era
    for other in steps[count.position...] where subject.standings[other.link].era == era {
      let procedure = device.procedure(other)
      guard procedure.opCode == .report, !procedure.isMixed,
        let asked = Self.asked(subject.request(other).selection, procedure)
      else { continue }
      switch procedure.outcome {
      case .success, .noRecords: known.insert(asked)
      default:
        if procedure.isBrokenOff, let highest = procedure.sequences.maximum, highest >= asked.lowerBound {
          known.insert(asked.lowerBound...min(highest, asked.upperBound))
        }
      }
    }
    return known.remainder(of: count.range).reduce(0) { $0 + $1.count }
  }

  private func finding(
    _ broken: Break,
    _ lost: [ClosedRange<UInt32>],
    _ step: DeviceStep,
    _ proof: String?,
    goesOn: Bool,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Finding {
    let hasHistory = subject.standings[step.link].isPaired
    let before = device.procedure(broken.latest)
    let range = rangesText(lost)
    // A collector that goes on behind a record has had it, where the logger missed it.
    let isOne = lost.reduce(0) { $0 + $1.count } == 1
    // One that fetches the last record may come back for the others; nothing in the capture says that it does.
    let isCertain = proof != nil && !isOne && goesOn
    return device.finding(
      "SEQ-007",
      isCertain && hasHistory ? .error : .warning,
      .collector,
      isCertain ? .certain : .likely,
      link: step.link,
      step: step,
      frames: [device.procedure(step).requestFrame],
      others: [
        (broken.latest.link, before.requestFrame), (broken.latest.link, before.firstRecordFrame),
        (broken.latest.link, before.lastRecordFrame),
      ],
      key: hex(subject.request(step).octets),
      message: "\(subject.quoted(step)) leaves out \(range): \(subject.quoted(broken.latest)) broke off "
        + (broken.last.map { "after number \($0)" } ?? "before any record")
        + ", and nothing asks for the rest",
      evidence: [
        "\(subject.quoted(broken.latest)) in "
          + device.frameText(before.requestFrame, of: broken.latest.link, from: step.link)
          + " broke off after \(countText(Int(before.records), "record"))",
        proof ?? "whether records \(range) exist is not in the capture",
        hasHistory
          ? "the pairing is in the capture: nothing was fetched before it"
          : "the pairing is not in the capture: they may have been fetched before it",
      ]
    )
  }
}

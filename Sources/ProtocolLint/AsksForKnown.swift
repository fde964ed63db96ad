import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// APP-004: the collector asks again for records it has.
public struct AsksForKnown: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "APP-004",
    name: "asks-for-known-records",
    summary:
      "a request starts well below the highest number that came, although the report before had ended with success",
    rationale: """
      It costs radio and battery and brings nothing. A collector that keeps its mark too low may do so on each link.
      """,
    remedy: """
      After a report with success ask from the highest number + 1.
      """,
    clause: "GLP 4.7.3 (C7)",
    needs: [.bothDirections, .noLoss, .whole, .start, .identity]
  )

  private static let renewed: Meter = {
    var meter = Meter()
    meter.firstBaseTime += 86_400 * 10
    return meter
  }()

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "from the 15th with 20 at hand",
        "asks-below-the-mark",
        [
          .firstArrival, .fetch(.all, 1...20), .farewell, .later(minutes: 60), .bondedArrival,
          .marked(.report(.atLeast(15))), .accept, .records(15...22), .result(.report, .success), .confirm, .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "from the last one, to check that the meter is the same",
        "asks-from-the-last",
        [
          .firstArrival, .fetch(.all, 1...20), .farewell, .later(minutes: 60), .bondedArrival,
          .fetch(.atLeast(20), 20...22), .farewell,
        ]
      ),
      RuleExample(
        "the count began anew, and the collector goes on from its new numbers",
        "asks-after-restart",
        [
          .firstArrival, .fetch(.all, 1...20), .farewell, .later(minutes: 60), .selectMeter(Self.renewed),
          .bondedArrival, .fetch(.all, 1...5), .farewell, .later(minutes: 60), .bondedArrival,
          .fetch(.atLeast(6), 6...7), .farewell,
        ]
      ).alongside("SEQ-009"),
    ]
  }

  /// Numbers below the highest one that may be asked for again by design.
  private static let overlap = 5

  /// A request that asks again, and the report that had brought what it asks for.
  private struct Case {
    var step: DeviceStep
    var known: Int
    var highest: UInt32
    var report: DeviceStep
  }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    var findings: [Finding] = []
    var wasJudged = false
    for series in subject.numbered {
      var cases: [Case] = []
      var received = SequenceSet()
      var last: DeviceStep?
      var bond = -1
      var restarts = 0
      for step in series.steps {
        let isNewBond = subject.standings[step.link].bond != bond
        if isNewBond || subject.restarts(by: step, device) != restarts {
          // What another bond's links show may be another test: each stands for itself.
          if isNewBond && !cases.isEmpty {
            findings.append(finding(cases, device, subject))
            cases = []
          }
          bond = subject.standings[step.link].bond
          restarts = subject.restarts(by: step, device)
          received = SequenceSet()
          last = nil
        }
        let procedure = device.procedure(step)
        guard procedure.opCode == .report, !procedure.isRefused else { continue }
        if let last, case .atLeast(let start) = subject.request(step).selection, let highest = received.maximum,
          last.link != step.link
        {
          wasJudged = true
          let known = start >= highest ? 0 : Self.count(received, from: start, below: highest)
          if known >= Self.overlap { cases.append(Case(step: step, known: known, highest: highest, report: last)) }
        }
        received.formUnion(procedure.sequences)
        switch procedure.outcome {
        case .success, .noRecords: last = procedure.isMixed ? nil : step
        default: last = nil
        }
      }
      if !cases.isEmpty { findings.append(finding(cases, device, subject)) }
    }
    if !findings.isEmpty { return .fail(findings) }
    return subject.outcome(wasJudged: wasJudged) { $0.hasRepetition(device) }
  }

  private func finding(
    _ cases: [Case],
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Finding {
    let first = cases[0]
    let before = device.procedure(first.report)
    return device.finding(
      "APP-004",
      .note,
      .collector,
      .certain,
      link: first.step.link,
      step: first.step,
      frames: [device.procedure(first.step).requestFrame],
      others: [(first.report.link, before.requestFrame), (first.report.link, before.resultFrame)],
      further: cases.dropFirst().map { ($0.step.link, device.procedure($0.step).requestFrame) },
      key: hex(subject.request(first.step).octets),
      message: "\(subject.quoted(first.step)) although number \(first.highest) had come: "
        + "\(first.known) known records below it are asked for again",
      evidence: [
        "the report before ended with \(before.records == 0 ? "no records found" : "success") in "
          + device.frameText(before.resultFrame, of: first.report.link, from: first.step.link),
        "\(countText(cases.count, "request")) of this kind",
      ]
    )
  }

  private static func count(_ numbers: SequenceSet, from start: UInt32, below highest: UInt32) -> Int {
    numbers.ranges.reduce(0) { sum, range in
      let low = max(range.lowerBound, start)
      let high = min(range.upperBound, highest - 1)
      return high < low ? sum : sum + Int(high - low) + 1
    }
  }
}

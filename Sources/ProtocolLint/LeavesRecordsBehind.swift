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
        .note,
        "the next report starts above the mark",
        "starts-above-the-mark",
        [
          .firstArrival, .fetch(.all, 1...12), .farewell, .later(minutes: 60), .bondedArrival,
          .marked(.report(.atLeast(17))), .accept, .records(17...20), .result(.report, .success), .confirm, .farewell,
        ]
      ),
    ]
  }

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

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    guard device.records.restarts.isEmpty else { return .notApplicable }
    var findings: [Finding] = []
    var wasJudged = false
    for collector in subject.collectors.indices {
      var highest: UInt32?
      var mark: DeviceStep?
      var gap: Gap?
      var received = SequenceSet()
      var stored: UInt32 = 0
      var bond = -1
      for step in subject.steps(collector, device) {
        if subject.standings[step.link].bond != bond {
          bond = subject.standings[step.link].bond
          highest = nil
          mark = nil
          gap = nil
          received = SequenceSet()
          stored = 0
        }
        let procedure = device.procedure(step)
        if case .count(let number) = procedure.outcome, subject.request(step).selection == .all { stored = number }
        guard procedure.opCode == .report, !procedure.isRefused else { continue }
        let start = subject.start(step)
        if let known = highest, let before = mark {
          wasJudged = true
          let first = subject.request(step).selection == .last ? procedure.sequences.minimum : start
          if let first, first > known + 1, !procedure.sequences.isEmpty {
            if gap == nil { gap = Gap(step: step, left: (known + 1)...(first - 1), mark: before) }
          } else if let start, start <= known + 1 {
            gap = nil
          }
        }
        received.formUnion(procedure.sequences)
        // What broke off is judged by its own rule.
        if procedure.isBrokenOff || procedure.isUnseen || procedure.isMixed {
          highest = nil
          mark = nil
        } else if case .success = procedure.outcome, let start, gap == nil {
          if highest.map({ start <= $0 + 1 }) ?? (start == 0 || start <= received.minimum ?? 0) {
            highest = max(highest ?? 0, procedure.sequences.maximum ?? 0)
            mark = step
          }
        }
      }
      if let gap { findings.append(finding(gap, stored, received, device, subject)) }
    }
    return findings.isEmpty ? (wasJudged ? .pass : .notApplicable) : .fail(findings)
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
        "\(subject.quoted(gap.step)) leaves out \(range): numbers up to \(gap.left.lowerBound - 1) had come, and "
        + "nothing asks for the rest",
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

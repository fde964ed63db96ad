import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// SEQ-008: after number 65535 the collector asks from 0.
public struct FilterWrapped: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "SEQ-008",
    name: "filter-wraps",
    summary: "after number 65535 the collector asks from 0, which is everything",
    rationale: """
      The last number plus one does not fit into 16 bits. Asked from 0 the meter sends its whole memory again, on each \
      link, and the collector may take it for new readings.
      """,
    remedy: """
      At 65535 ask from 65535 and leave out the record that is known; the meter has no further number to give.
      """,
    clause: "GLP 4.7.3 (C7), GLS 3.1.1.2 (S9)",
    needs: [.bothDirections, .noLoss, .whole, .start, .identity],
    explains: ["EFF-001", "APP-004", "APP-008"]
  )

  private static var full: Meter {
    var meter = Meter()
    meter.firstSequenceNumber = 65_530
    return meter
  }

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "the request after number 65535 is from 0",
        "wrapped-to-zero",
        [
          .selectMeter(Self.full), .firstArrival, .fetch(.all, 65_530...65_535), .farewell, .later(minutes: 60),
          .bondedArrival, .marked(.report(.atLeast(0))), .accept, .records(65_530...65_535),
          .result(.report, .success), .confirm, .farewell,
        ]
      ).alongside("SEQ-013")
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the request after number 65535 is from 65535",
        "stays-at-the-last",
        [
          .selectMeter(Self.full), .firstArrival, .fetch(.all, 65_530...65_535), .farewell, .later(minutes: 60),
          .bondedArrival, .fetch(.atLeast(65_535), 65_535...65_535), .farewell,
        ]
      ).alongside("SEQ-013")
    ]
  }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    let hasLast = device.links.contains { link in link.procedures.contains { $0.sequences.contains(65_535) } }
    guard hasLast else { return .notApplicable }
    var findings: [Finding] = []
    var wasJudged = false
    for series in subject.numbered {
      var last: DeviceStep?
      var received = SequenceSet()
      var asksFromZero = false
      var bond = -1
      var isTold = false
      for step in series.steps {
        if subject.standings[step.link].bond != bond {
          bond = subject.standings[step.link].bond
          last = nil
          received = SequenceSet()
          asksFromZero = false
          isTold = false
        }
        let procedure = device.procedure(step)
        if procedure.opCode == .report, !procedure.isRefused, let start = subject.start(step) {
          if let last {
            wasJudged = true
            if case .atLeast(0) = subject.request(step).selection, start == 0, !asksFromZero, !isTold {
              findings.append(finding(step, last, device, subject))
              isTold = true
            }
          } else if case .atLeast(0) = subject.request(step).selection, !received.isEmpty {
            asksFromZero = true
          }
        }
        received.formUnion(procedure.sequences)
        if procedure.sequences.contains(65_535) { last = step }
      }
    }
    return findings.isEmpty ? (wasJudged ? .pass : .notApplicable) : .fail(findings)
  }

  private func finding(
    _ step: DeviceStep,
    _ last: DeviceStep,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Finding {
    let before = device.procedure(last)
    let procedure = device.procedure(step)
    return device.finding(
      "SEQ-008",
      .warning,
      .collector,
      .certain,
      link: step.link,
      step: step,
      frames: [procedure.requestFrame],
      others: [(last.link, before.requestFrame), (last.link, before.lastRecordFrame)],
      key: hex(subject.request(step).octets),
      message: "\(subject.quoted(step)) right after number 65535 had come: 65535 + 1 is 0 in 16 bits, and "
        + "\(countText(Int(procedure.records), "record")) came",
      evidence: [
        "number 65535 came with \(subject.quoted(last)) in "
          + device.frameText(before.requestFrame, of: last.link, from: step.link)
      ]
    )
  }
}

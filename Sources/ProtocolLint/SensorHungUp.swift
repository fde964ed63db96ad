import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// CONN-002: the sensor ends the link while a procedure runs, or before the collector could ask.
public struct SensorHungUp: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "CONN-002",
    name: "sensor-hung-up",
    summary: "the sensor ends the link while a procedure is running, or within 5 s before anything was asked",
    rationale: """
      The collector has an incomplete set and no result that says so. A sensor that has to stop, because a strip was \
      inserted or the battery is low, can say so first.
      """,
    remedy: """
      Sensor: end a running procedure with "procedure not completed" (06 00, op code, 08) before the link is ended; \
      keep an idle link for at least 5 s.
      """,
    clause: "GLS 3.4.3.4 (S24), GLP 5.1.4",
    needs: [.bothDirections, .noLoss, .end],
    explains: ["CONN-003", "RACP-004", "SEQ-004", "APP-001"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "the sensor hangs up in the middle of a report",
        "hangs-up-in-report",
        [
          .firstArrival, .report(.all), .accept, .records(1...6), .wait(milliseconds: 300),
          .marked(.disconnect(.sensor, reason: 0x13)),
        ]
      ),
      RuleExample(
        .note,
        "the sensor hangs up two seconds after discovery",
        "hangs-up-unasked",
        [.firstArrival, .wait(milliseconds: 2000), .marked(.disconnect(.sensor, reason: 0x13))]
      ),
      RuleExample(
        .note,
        "the sensor hangs up two seconds after a discovery request that it has not answered",
        "hangs-up-in-discovery",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose,
          .attribute(from: .collector, [0x04, 0x1C, 0x00, 0x1C, 0x00]), .wait(milliseconds: 2000),
          .marked(.disconnect(.sensor, reason: 0x13)),
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the sensor hangs up when all is done",
        "hangs-up-after-result",
        [.firstArrival, .fetch(.all, 1...6), .wait(milliseconds: 5500), .disconnect(.sensor, reason: 0x13)]
      ),
      RuleExample(
        "the sensor says first that it cannot go on",
        "says-so-first",
        [
          .firstArrival, .report(.all), .accept, .records(1...3), .result(.report, .procedureNotCompleted), .confirm,
          .disconnect(.sensor, reason: 0x13),
        ]
      ),
    ]
  }

  /// How long an idle link should be kept (GLP 5.1.4). Microseconds.
  static let idle: Int64 = 5_000_000

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard let sensor = history.sensor else { return .notApplicable }
    if history.end.cause == .open { return .notApplicable }
    if subject.departure.by != .sensor {
      let isOpen = history.procedures.contains { $0.outcome == .captureEnded || $0.outcome == .running }
      return history.procedures.isEmpty || isOpen ? .pass : .passWithout([.end])
    }
    let open = history.procedures.indices.filter {
      if case .disconnected = history.procedures[$0].outcome { return history.procedures[$0].server == sensor }
      return false
    }
    if let index = open.first { return .fail([inProcedure(index, Array(open.dropFirst()), history, subject)]) }
    // Its own host has sent the result; whether it went out before the end does not show.
    if let last = history.procedures.last, last.server == sensor, last.hasUnconfirmedResult(history) {
      return .inconclusive("the sensor ended the link before its result was confirmed")
    }
    let hasFailedSecurity = subject.efforts.efforts.contains { $0.hasFailed || $0.endFrame == nil }
    if history.start == nil { return .inconclusive("what was asked before the capture began is not known") }
    guard history.procedures.isEmpty, !hasFailedSecurity, SecurityRefusals(history, subject).all.isEmpty,
      let last = history.pdus.last
    else { return .pass }
    let lastSecurity = history.events.last { $0.kind == .pairingStep || $0.kind == .keyDistribution }
    let since = subject.departure.time - max(last.time, lastSecurity?.time ?? .min)
    return since < Self.idle ? .fail([unasked(since, last, history, subject)]) : .pass
  }

  private func inProcedure(
    _ index: Int,
    _ others: [Int],
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let procedure = history.procedures[index]
    return Finding(
      "CONN-002",
      .warning,
      .sensor,
      .likely,
      link: history.number,
      procedure: index,
      otherProcedures: others,
      frames: [subject.departure.frame, history.frame(procedure.request)],
      time: subject.departure.time,
      key: "in " + hex(subject.requests[index].octets),
      message: "ended the link while \(subject.quoted(index)) was running, after "
        + "\(countText(Int(procedure.records), "record")) and without \"procedure not completed\"",
      evidence: [
        "request in frame \(history.frame(procedure.request)); the link ended in frame \(subject.departure.frame), "
          + "reason \(codeText(history.end.reason.rawValue)) (\(history.end.reason.name))",
        "a strip, a battery or the user may have been the cause",
      ]
    )
  }

  private func unasked(
    _ since: Int64,
    _ last: AttributePDU,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    Finding(
      "CONN-002",
      .note,
      .sensor,
      .likely,
      link: history.number,
      frames: [subject.departure.frame],
      time: subject.departure.time,
      key: "unasked",
      message:
        "ended the link \(durationText(since)) after the last packet, before the collector had asked for records",
      evidence: ["last attribute packet in frame \(last.frame); the link ended in frame \(subject.departure.frame)"]
    )
  }
}

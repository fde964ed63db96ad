import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// CONN-008: the sensor keeps a link on which nothing happens.
public struct IdleLinkKept: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "CONN-008",
    name: "idle-link-kept",
    summary: "the link stays up for more than 6 s in which nothing is sent and nothing is open",
    rationale: """
      The profile lets the sensor end a link that is idle for five seconds. One that does not spends its battery, and \
      no other collector can connect meanwhile.
      """,
    remedy: """
      Sensor: end the link after five seconds without a packet, where no request, indication, procedure or pairing \
      is open.
      """,
    clause: "good practice: GLP 5.1.4",
    needs: [.bothDirections, .noLoss, .whole, .start, .steadyClock]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "eight seconds between two requests",
        "between-requests",
        [
          .firstArrival, .ask(answer: 3), .wait(milliseconds: 8000), .marked(.report(.all)), .accept, .records(1...3),
          .result(.report, .success), .confirm, .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "a pause of eight seconds inside a report",
        "pause-in-report",
        [
          .firstArrival, .report(.all), .accept, .record(1), .wait(milliseconds: 8000), .record(2),
          .result(.report, .success), .confirm, .farewell,
        ]
      ).alongside("RACP-021"),
      RuleExample(
        "the sensor ends the link after five seconds",
        "ended-in-time",
        [.firstArrival, .fetch(.all, 1...3), .wait(milliseconds: 5100), .disconnect(.sensor, reason: 0x13)]
      ),
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard let sensor = history.sensor, subject.isGlucose, let last = history.pdus.last,
      !isOfOtherProfile(sensor, history)
    else { return .notApplicable }
    var pauses = subject.exchanges.pauses
    if subject.watchedUntil - last.time > AttributeExchanges.longPause {
      pauses.append(.init(earlier: UInt32(history.pdus.count - 1), later: AttributePDU.none))
    }
    if pauses.isEmpty { return .pass }
    // A request to a control point that nothing names may be open all the time.
    let isNamed =
      history.handles.contains { $0.role.isControlPoint }
      || history.sensor.map { history.database($0).value(0x2A52) != nil } ?? false
    if !isNamed || history.hasVoidWrites {
      return .inconclusive("the control point is not known: a request to it may be open")
    }
    let idle = pauses.filter { isIdle($0, history, subject) }
    guard let first = idle.first else { return .pass }
    if history.counts.droppedPDUs > 0 || subject.hidesPDUs {
      return .inconclusive("packets of this link were not kept, and the pause may be theirs")
    }
    let before = history.pdus[Int(first.earlier)]
    let until = end(first, history, subject)
    return .fail([
      Finding(
        "CONN-008",
        .note,
        .sensor,
        .certain,
        link: history.number,
        frames: until.frame.map { [$0, before.frame] } ?? [before.frame],
        time: until.frame == nil ? before.time : until.time,
        key: "idle",
        message: "the link was kept idle for \(durationText(until.time - before.time))"
          + (idle.count > 1 ? ", \(timesText(idle.count))" : "")
          + (first.later == AttributePDU.none ? ", up to " + Self.what(history.end.cause) : ""),
        evidence: ["last packet before it in frame \(before.frame); nothing was open"]
      )
    ])
  }

  /// What ends a pause; no frame where it is the end of the link or of the capture.
  private func end(
    _ pause: AttributeExchanges.Pair,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> (frame: UInt32?, time: Int64) {
    if pause.later == AttributePDU.none { return (nil, subject.watchedUntil) }
    return (history.frame(pause.later), history.time(pause.later))
  }

  /// True where no procedure, request, indication or pairing is open in a pause.
  private func isIdle(
    _ pause: AttributeExchanges.Pair,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Bool {
    let before = history.frame(pause.earlier)
    let after = pause.later == AttributePDU.none ? UInt32.max : history.frame(pause.later)
    for index in history.procedures.indices where history.procedures[index].request <= pause.earlier {
      if case .refused = history.procedures[index].outcome { continue }
      // A procedure without its result stays open; its time-out is another rule's business.
      if history.procedures[index].result.map({ $0 > pause.earlier }) ?? true { return false }
    }
    let hasOpen =
      subject.exchanges.unanswered.contains { $0 <= pause.earlier }
      || subject.exchanges.unconfirmed.contains { $0 <= pause.earlier }
    if hasOpen { return false }
    if isOpen(pause.earlier, history) || subject.efforts.isRunning(at: before + 1) { return false }
    let until = end(pause, history, subject).time
    let from = history.time(pause.earlier)
    // Pairing, parameters and the like are a use of the link.
    var quiet = from
    for event in history.events where event.frame > before && event.frame < after {
      switch event.kind {
      case .disconnectCommand, .reassemblyBroken, .clockStep, .packetsLost: continue
      default:
        if event.time - quiet > AttributeExchanges.longPause { return true }
        quiet = event.time
      }
    }
    return until - quiet > AttributeExchanges.longPause
  }

  /// What ends a pause that nothing follows.
  private static func what(_ cause: LinkEnd.Cause) -> String {
    switch cause {
    case .disconnected: "its end"
    case .open, .captureEnded: "the end of the capture"
    case .controllerGone, .superseded: "the last that is seen of it"
    }
  }

  /// True for a request or indication whose answer ends the pause, or never comes.
  private func isOpen(_ index: UInt32, _ history: borrowing LinkHistory) -> Bool {
    let pdu = history.pdus[Int(index)]
    guard pdu.opcode.role == .request || pdu.opcode.role == .indication else { return false }
    return pdu.partner == AttributePDU.none || pdu.partner > index
  }

  /// True for a sensor with continuous measurements and without the Glucose Service: the five seconds are a wish of the
  /// Glucose Profile, and such a sensor speaks every few minutes.
  private func isOfOtherProfile(_ sensor: Side, _ history: borrowing LinkHistory) -> Bool {
    let known = history.database(sensor)
    let isGlucose =
      known.value(0x2A18) != nil || known.value(0x2A51) != nil
      || history.handles.contains {
        $0.server == sensor && ($0.role == .glucoseMeasurement || $0.role == .glucoseFeature)
      }
    return !isGlucose && known.value(0x2AA7) != nil
  }
}

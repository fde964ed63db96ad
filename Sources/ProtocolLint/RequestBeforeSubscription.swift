import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// GATT-003: a record access request before the notifications and indications it needs are on.
public struct RequestBeforeSubscription: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "GATT-003",
    name: "request-before-subscription",
    summary: "the collector sends a record access request before it has turned on what the answer comes through",
    rationale: """
      Records come as notifications and the result as an indication. Where the collector has not turned them on, the \
      sensor must refuse the request, and an app that does not look at the error waits for records that never come.
      """,
    remedy: """
      Collector: write the Client Characteristic Configuration of the measurement (01 00), of the context where \
      there is one (01 00) and of the control point (02 00), wait for each Write Response, then send the first \
      request. After error 0x81 do the same and repeat the request.
      """,
    clause: "GLP 4.4, GLP 4.5, GLP 4.7 (C3), CGMS 1.8",
    needs: [.bothDirections, .noLoss, .whole],
    explains: ["RACP-004", "RACP-008", "SEQ-011", "APP-001", "APP-003"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "nothing is turned on, and the sensor refuses",
        "nothing-on",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .marked(.report(.all)), .refuse(error: 0x81),
          .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "the collector turns them on after the refusal and asks again",
        "turned-on-late",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .marked(.report(.all)), .refuse(error: 0x81),
          .subscribe(), .fetch(.all, 1...6), .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "the sensor accepts the report all the same, and the collector turns them on a second later and asks again",
        "turned-on-after-acceptance",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .marked(.report(.all)), .accept,
          .wait(milliseconds: 1000), .subscribe(), .report(.all), .accept, .records(1...6),
          .result(.report, .success), .confirm, .wait(milliseconds: 200), .disconnect(),
        ]
      ).alongside("GATT-004"),
      RuleExample(
        .warning,
        "the context was forgotten, and the sensor accepts the report",
        "context-off",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .subscribe([.measurement, .recordAccess]),
          .marked(.report(.all)), .accept, .record(1, withContext: false), .record(2), .record(3),
          .result(.report, .success), .confirm, .farewell,
        ]
      ).alongside("GATT-004"),
      RuleExample(
        .error,
        "all three are prepared, and the execution cancels them",
        "prepared-and-cancelled",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose,
          .prepareWrite(.measurementConfiguration, offset: 0, [1, 0]),
          .prepareWrite(.contextConfiguration, offset: 0, [1, 0]),
          .prepareWrite(.recordAccessConfiguration, offset: 0, [2, 0]), .executeWrite(writes: false), .accept,
          .marked(.report(.all)), .refuse(error: 0x81), .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "they are written by Write Command, and the sensor ignores it",
        "written-by-command",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .writeCommand(.measurementConfiguration, [1, 0]),
          .writeCommand(.contextConfiguration, [1, 0]), .writeCommand(.recordAccessConfiguration, [2, 0]),
          .marked(.report(.all)), .refuse(error: 0x81), .farewell,
        ]
      ),
      RuleExample(
        .error,
        "a long write of the request is refused with its first part",
        "refused-when-prepared",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .subscribe([.recordAccess]),
          .marked(.attribute(from: .collector, [0x16, 0x23, 0x00, 0x00, 0x00, 0x01, 0x01])),
          .attribute(from: .sensor, [0x01, 0x16, 0x23, 0x00, 0x81]), .executeWrite(writes: false), .accept, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "the two only pair on the first link, and on the second nothing is turned on",
        "nothing-on-since-pairing",
        [
          .pairingAlone, .bondedReturn, .discoverGlucose, .marked(.report(.all)), .refuse(error: 0x81), .farewell,
        ]
      ),
      RuleExample(
        .error,
        "on the first link the services are read, and on the second nothing is turned on",
        "nothing-on-since-services",
        [
          .connect(), .pair(), .askForServices(), .tellServices([.init(0x0019, 0x0024, 0x1808)]), .farewell,
          .later(minutes: 1), .bondedReturn, .discoverGlucose, .marked(.report(.all)), .refuse(error: 0x81), .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "the sensor refuses on a link with an earlier bond, and what was turned on then is not in the capture",
        "unknown-since-bond",
        [
          .bondedArrival, .exchangeMTU(185), .discoverGlucose, .marked(.report(.all)), .refuse(error: 0x81), .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "all three are on before the first request",
        "all-on",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      ),
      RuleExample(
        "each is written by a prepared write",
        "all-prepared",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .writeLong(.measurementConfiguration, [1, 0]),
          .accept, .writeLong(.contextConfiguration, [1, 0]), .accept, .writeLong(.recordAccessConfiguration, [2, 0]),
          .accept, .fetch(.all, 1...6), .farewell,
        ]
      ),
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    RequestedSubscriptions.check(
      history,
      subject,
      concerns: { index in
        if case .refused(let error) = history.procedures[index].outcome, error.asksForSecurity { return false }
        // What cannot be turned on, or was turned on with the wrong bit, is another rule's.
        if subject.missingConfigurations.isEmpty && !subject.subscriptions.hasMistakes { return true }
        let needed = RequestedSubscriptions(index, history, subject)
        return !needed.neglected.isEmpty || (needed.missing.isEmpty && needed.mistaken.isEmpty)
      },
      isWrong: { index, needed in
        // A value that turns nothing on is what is at fault where it is known, and may be it where it is not.
        let isExplained =
          needed.neglected.isEmpty && needed.isUnknown
          && subject.subscriptions.hasOddWrite(before: history.procedures[index].request)
        return !needed.neglected.isEmpty
          || (!isExplained && RequestedSubscriptions.isRefusal(history.procedures[index].outcome))
      },
      finding: { finding($0, history, subject) }
    )
  }

  private func finding(
    _ found: RequestCase,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let index = found.procedures[0]
    let procedure = history.procedures[index]
    let needed = RequestedSubscriptions(index, history, subject)
    let isRefused = RequestedSubscriptions.isRefusal(procedure.outcome)
    let isKnown = !needed.neglected.isEmpty
    let last = found.procedures[found.procedures.count - 1]
    let repeated = history.procedures[(last + 1)...].firstIndex { later in
      later.opCode == procedure.opCode && later.isFinished && later.controlPoint == procedure.controlPoint
    }
    var frames = found.procedures.map { history.frame(history.procedures[$0].request) }
    frames += found.procedures.compactMap { history.procedures[$0].answer.map { history.frame($0) } }
    let state = isKnown ? "while \(needed.neglected.state)" : "with a subscription missing, as the sensor says"
    let answer =
      if isRefused {
        "the sensor refused it with \(refusal(procedure))"
      } else if history.pdus[Int(procedure.request)].opcode.isWriteCommand {
        "as a command it gets no answer"
      } else {
        "the sensor accepted it after \(delay(procedure, history))"
      }
    // A command on a descriptor is none of the profile's writes: the sensor may ignore it (Core Vol 3 Part G 4.12.3).
    let isIgnored = !isKnown && subject.subscriptions.hasDoubtfulWrite(before: procedure.request)
    // Where there are commands, one that the logger missed leaves no answer behind that would tell of it.
    let isSure = isKnown && !subject.subscriptions.hasCommand(before: procedure.request)
    let level = level(needed, isKnown: isKnown, isRefused: isRefused, isRepeated: repeated != nil, history)
    return Finding(
      "GATT-003",
      isSure ? level : min(level, .warning),
      isKnown || isIgnored ? .collector : .undetermined,
      isSure ? .certain : isKnown || isIgnored ? .likely : .possible,
      link: history.number,
      procedure: index,
      otherProcedures: Array(found.procedures.dropFirst()),
      frames: frames,
      time: procedure.startTime,
      key: hex(found.octets),
      message: "\(subject.quoted(index)) sent \(timesText(found.procedures.count)) \(state); \(answer)",
      evidence: [
        isKnown
          ? "off in frame \(history.frame(procedure.request)): \(needed.neglected.text)"
          : doubt(needed, isIgnored: isIgnored),
        repeated.map { "a later request in frame \(history.frame(history.procedures[$0].request)) was carried out" }
          ?? "no later request was carried out on this link",
      ]
    )
  }

  /// What may be behind a refusal where no configuration is known to be off.
  private func doubt(_ needed: RequestedSubscriptions, isIgnored: Bool) -> String {
    if isIgnored { return "a CCCD was written in a way that the sensor may ignore: use a Write Request of two octets" }
    if needed.isUnknown {
      return "what was set before this capture is not known: the collector never subscribed, or the sensor forgot"
    }
    return "all that the request needs was turned on, as far as the capture shows: the sensor may have forgotten it"
  }

  private func delay(_ procedure: Procedure, _ history: borrowing LinkHistory) -> String {
    durationText(procedure.answer.map { history.time($0) - procedure.startTime } ?? 0)
  }

  private func refusal(_ procedure: Procedure) -> String {
    if case .refused(let error) = procedure.outcome {
      return refusalText(error, isGlucose: procedure.source != .continuousGlucose)
    }
    return "an error"
  }

  private func level(
    _ needed: RequestedSubscriptions,
    isKnown: Bool,
    isRefused: Bool,
    isRepeated: Bool,
    _ history: borrowing LinkHistory
  ) -> FindingLevel {
    if !isKnown { return .warning }
    if !needed.isNeglectBlocking && !isRefused { return .note }
    // Until the link is over the collector may still put it right.
    let mayRepeat = history.end.cause != .disconnected
    return isRepeated || mayRepeat || needed.neglected == .context ? .warning : .error
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// CONN-010: the sensor asks for other connection parameters while the collector still discovers or pairs.
public struct ParametersAskedEarly: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "CONN-010",
    name: "parameters-asked-early",
    summary: "the sensor asks for other connection parameters before discovery and encryption are done",
    rationale: """
      Discovery and pairing need a fast link. A sensor that slows it down at once makes the first connection take many \
      times as long, and some hosts end a link whose parameters change while they pair.
      """,
    remedy: """
      Sensor: take any valid parameters until the collector has discovered the services and the link is encrypted, \
      then ask for those you prefer.
      """,
    clause: "GLP 5.1.1 (S31)",
    needs: [.bothDirections, .noLoss, .start, .security]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "right after the link is up",
        "at-once",
        [
          .arrival, .marked(.signalling(from: .sensor, [0x12, 1, 8, 0, 80, 0, 80, 0, 0, 0, 0x90, 1])),
          .signalling(from: .collector, [0x13, 1, 2, 0, 0, 0]), .exchangeMTU(185), .pair(), .discoverGlucose,
          .subscribe(), .fetch(.all, 1...3), .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "between two requests of the discovery",
        "while-discovering",
        [
          .arrival, .exchangeMTU(185), .pair(), .askForServices(), .tellServices([.init(0x0019, 0x0024, 0x1808)]),
          .marked(.signalling(from: .sensor, [0x12, 1, 8, 0, 80, 0, 80, 0, 0, 0, 0x90, 1])),
          .signalling(from: .collector, [0x13, 1, 2, 0, 0, 0]), .discoverGlucoseCharacteristics, .subscribe(),
          .fetch(.all, 1...3), .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "when discovery and encryption are done",
        "when-done",
        [.firstArrival, .updateParameters(interval: 40), .fetch(.all, 1...3), .farewell]
      )
    ]
  }

  /// The events that tell of the encryption and the sensor's packets may reach the host in either order. Microseconds.
  private static let crossing: Int64 = 100_000
  /// A discovery that goes on later than this is another one. Microseconds.
  private static let patience: Int64 = 5_000_000

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard subject.isGlucose, let sensor = subject.sensor, let start = history.start else { return .notApplicable }
    var early: [(event: LinkEvent, why: String)] = []
    var isJudged = false
    var isDoubtful = false
    for event in history.events where Self.isAsking(event, sensor, start) {
      isJudged = true
      if isBeforeEncryption(event, history, subject) {
        if subject.watchedUntil - event.time > Self.crossing {
          early.append((event, "before the link was encrypted"))
        } else {
          isDoubtful = true
        }
      } else if subject.survey.rows.contains(where: { isAfter($0.answer, event, history) }) {
        early.append((event, "before the discovery had come to its end"))
      }
    }
    guard let first = early.first else {
      if isDoubtful { return .inconclusive("the capture ends soon after the sensor asked for other parameters") }
      return isJudged ? .pass : .notApplicable
    }
    let value = first.event.value
    let interval = Int64(UInt16(truncatingIfNeeded: value >> 16)) * 5 / 4
    return .fail([
      Finding(
        "CONN-010",
        .warning,
        .sensor,
        .certain,
        link: history.number,
        frames: early.map(\.event.frame),
        time: first.event.time,
        key: "early",
        message:
          "asked for other parameters \(durationText(first.event.time - start.time)) after the link began, with an "
          + "interval of up to \(interval) ms, \(first.why)",
        evidence: [
          subject.security.firstOn.map { "encrypted from frame \($0.frame) on" } ?? "the link was never encrypted",
          subject.survey.rows.last.map { "last answer of the discovery in frame \(history.frame($0.answer))" }
            ?? "no discovery on this link",
        ]
      )
    ])
  }

  /// True for a request of the sensor as peripheral: its own command or signal, or what the central's controller tells.
  private static func isAsking(_ event: LinkEvent, _ sensor: Side, _ start: LinkStart) -> Bool {
    guard start.isCentral == (sensor == .remote) else { return false }
    switch event.kind {
    case .parameterRequest: return event.isReceived == (sensor == .remote)
    case .remoteParameterRequest: return sensor == .remote
    case .connectionUpdateCommand: return sensor == .local
    default: return false
    }
  }

  private func isBeforeEncryption(
    _ event: LinkEvent,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Bool {
    guard subject.security.state(at: event.frame) != .encrypted else { return false }
    let next = subject.security.changes.first { $0.isOn && $0.frame > event.frame }
    return next.map { $0.time - event.time > Self.crossing } ?? true
  }

  /// True for an answer of the discovery that was going on when the sensor asked: both are its own packets.
  private func isAfter(_ answer: UInt32, _ event: LinkEvent, _ history: borrowing LinkHistory) -> Bool {
    history.frame(answer) > event.frame && history.time(answer) - event.time < Self.patience
  }
}

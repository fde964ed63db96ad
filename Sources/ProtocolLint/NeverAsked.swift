import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// APP-001: the collector connects and goes without having asked for a record.
public struct NeverAsked: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "APP-001",
    name: "never-asked",
    summary: "the collector leaves without having asked for a record on the control point",
    rationale: """
      A meter sends nothing by itself: an app that subscribes and waits gets nothing, and its user thinks that the \
      meter does not transmit.
      """,
    remedy: """
      Collector: after the subscriptions write a request to the control point: 01 01 for all records, or 01 03 01 and \
      the next number.
      """,
    clause: "good practice; GLS 3.1.1, GLS 3.4.3 (S6)",
    needs: [.bothDirections, .noLoss, .start, .end]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "the collector subscribes, waits three seconds and goes",
        "subscribes-and-goes",
        [.firstArrival, .wait(milliseconds: 3000), .marked(.disconnect())]
      ),
      RuleExample(
        .note,
        "the collector discovers the service, reads the names of the device and goes",
        "reads-names-and-goes",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .readDeviceInformation, .wait(milliseconds: 400),
          .marked(.disconnect()),
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the collector asks and finds nothing",
        "asks",
        [.firstArrival, .fetchNothing(.all), .farewell]
      ),
      RuleExample(
        "a read is never answered, so that nothing may be asked behind it",
        "read-unanswered",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .attribute(from: .collector, [0x0A, 0x21, 0x00]),
          .wait(milliseconds: 32_000), .disconnect(),
        ]
      ).alongside("GATT-015"),
      RuleExample(
        "the sensor ends the link",
        "sensor-ends-link",
        [.firstArrival, .wait(milliseconds: 5500), .disconnect(.sensor, reason: 0x13)]
      ),
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard let sensor = history.sensor, history.end.cause != .open else { return .notApplicable }
    let database = history.database(sensor)
    let isKnown = database.value(0x2A52) != nil && database.value(0x2A18) != nil
    let hasUsed = history.handles.contains { $0.server == sensor && ($0.role != .other && $0.role != .unknown) }
    // What cannot be subscribed to gives no reason to ask.
    let isUsable = [UInt16(0x2A18), 0x2A52].allSatisfy { type in
      database.value(type).map { database.subscriptionHandle(ofValue: $0.handle) != nil } ?? false
    }
    guard isKnown, hasUsed || (isUsable && !database.discoveredServices(0x1808).isEmpty) else { return .notApplicable }
    let hasRecords = history.handles.contains { $0.server == sensor && $0.role.isRecord && $0.notifications > 0 }
    if !history.procedures.isEmpty || hasRecords { return .passWithout([.start, .end]) }
    if subject.departure.by != .collector { return .pass }
    if history.hasVoidWrites {
      return .inconclusive("the sensor told of another table: the control point is not known")
    }
    // Nothing may be sent behind a request that is not answered (Core Vol 3 Part F 3.3.3).
    if let last = history.pdus.last(where: { $0.server == sensor && $0.opcode.role == .request }),
      last.partner == AttributePDU.none
    {
      return .pass
    }
    // A link that could not be secured, or a refusal, has another cause.
    let hasFailed =
      subject.efforts.efforts.contains { $0.hasFailed || $0.endFrame == nil }
      || !SecurityRefusals(history, subject).all.isEmpty
    if hasFailed { return .pass }
    let since = subject.departure.time - (history.start?.time ?? history.firstTime)
    return .fail([
      Finding(
        "APP-001",
        .note,
        .collector,
        .certain,
        link: history.number,
        frames: [subject.departure.frame] + reads(history, sensor),
        time: subject.departure.time,
        key: "never asked",
        message: "left \(durationText(since)) after the link began without a request on the control point",
        evidence: [
          "link ended by the collector in frame \(subject.departure.frame)",
          "\(countText(history.subscriptions.count, "subscription")) written; a meter sends nothing by itself",
        ]
      )
    ])
  }

  /// Reads that took the place of a request: what is said of them says this as well.
  private func reads(_ history: borrowing LinkHistory, _ sensor: Side) -> [UInt32] {
    let isRead = history.handles.contains {
      $0.server == sensor && $0.reads > 0 && ($0.role.isControlPoint || $0.role.isRecord || $0.role == .glucoseContext)
    }
    guard isRead else { return [] }
    return history.pdus.filter {
      guard $0.opcode == .readRequest else { return false }
      let role = history.role($0)
      return role.isControlPoint || role.isRecord || role == .glucoseContext
    }
    .prefix(4).map(\.frame)
  }
}

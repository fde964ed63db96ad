import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// GATT-005: a configuration is written that turns on what the characteristic does not do.
public struct WrongSubscriptionBit: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "GATT-005",
    name: "wrong-subscription-bit",
    summary: "the collector turns on notifications of a characteristic that only indicates, or the other way round",
    rationale: """
      The wrong bit turns nothing on. Some sensors refuse the write, others take it and then send nothing, and the \
      request that follows fails or stays without its result.
      """,
    remedy: """
      Collector: write 01 00 to the CCCD of what notifies (measurement, context), 02 00 to that of what indicates \
      (control point).
      """,
    clause: "Core Vol 3 Part G 3.3.3.3, GLS 3 (S4)",
    needs: [.bothDirections, .noLoss, .whole],
    explains: ["RACP-004", "RACP-008", "SEQ-011", "APP-003"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "notifications of the control point are turned on, then its indications",
        "notify-control-point",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .subscribe([.measurement, .context]),
          .marked(.write(.recordAccessConfiguration, [1, 0])), .accept, .subscribe([.recordAccess]),
          .fetch(.all, 1...3),
          .farewell,
        ]
      ),
      RuleExample(
        .error,
        "notifications of the control point are turned on, and the sensor accepts a request",
        "notify-control-point-accepted",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .subscribe([.measurement, .context]),
          .marked(.write(.recordAccessConfiguration, [1, 0])), .accept, .report(.all), .accept,
          .wait(milliseconds: 33_000), .farewell,
        ]
      ).alongside("GATT-004"),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "each has its own bit",
        "own-bits",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      ),
      RuleExample(
        "both bits at once, which is legal",
        "both-bits",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .subscribe([.measurement, .context]),
          .write(.recordAccessConfiguration, [3, 0]), .accept, .fetch(.all, 1...6), .farewell,
        ]
      ),
    ]
  }

  /// Notify and Indicate in the properties (Core Vol 3 Part G 3.3.1.1).
  private static let speaking: UInt8 = 0x30

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard let sensor = history.sensor, !history.subscriptions.isEmpty else { return .notApplicable }
    var findings: [Finding] = []
    var isJudged = false
    for subscription in history.subscriptions where subscription.server == sensor && !subscription.isInferred {
      guard let value = subscription.characteristic, isPlaced(subscription.descriptor, value, subject),
        let properties = history.database(sensor)[value]?.properties, properties & Self.speaking != 0
      else { continue }
      isJudged = true
      let fitting = UInt16(properties & Self.speaking) >> 4
      if subscription.value != 0 && subscription.value & fitting == 0 {
        findings.append(finding(subscription, value, properties, history, subject))
      }
    }
    if !findings.isEmpty { return .fail(findings) }
    return isJudged ? .pass : .notApplicable
  }

  /// True where no characteristic that was not discovered can stand between a value and a descriptor.
  private func isPlaced(_ descriptor: UInt16, _ value: UInt16, _ subject: borrowing LinkSubject) -> Bool {
    guard descriptor > value else { return false }
    return descriptor == value + 1 || subject.survey.covers(.characteristics, value...descriptor)
  }

  private func finding(
    _ subscription: Subscription,
    _ value: UInt16,
    _ properties: UInt8,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let pdu = history.pdus[Int(subscription.request)]
    let octets = hex(history.value(pdu).copied())
    let does = properties & Self.speaking == 0x10 ? "notifies" : "indicates"
    let name =
      subscription.role == .other || subscription.role == .unknown
      ? "handle 0x" + hex(UInt64(value), digits: 4) : Self.name(subscription.role)
    // A request that lacks nothing else is not said to have been sent too early.
    let hindered = history.procedures.indices.filter { index in
      let place = subject.subscriptions.mistake(
        of: subscription.role,
        within: value...value,
        before: history.procedures[index].request
      )
      return place == subscription.request
        && RequestedSubscriptions.isOnlyHindered(index, history, subject, by: \.mistaken)
    }
    return Finding(
      "GATT-005",
      .error,
      .collector,
      .certain,
      link: history.number,
      otherProcedures: hindered,
      frames: [pdu.frame],
      time: pdu.time,
      key: "\(name) \(octets)",
      message: "\"\(octets.uppercased())\" written to the CCCD of the \(name), which only \(does): nothing "
        + "is turned on",
      evidence: [
        "properties \(codeText(properties))",
        subscription.error == 0
          ? (subscription.answer.map { "accepted in frame \(history.frame($0))" } ?? "not answered")
          : "refused with \(refusalText(ATTError(rawValue: subscription.error)))",
      ]
    )
  }

  private static func name(_ role: AttributeRole) -> String {
    switch role {
    case .glucoseMeasurement: "measurement"
    case .glucoseContext: "context"
    case .recordAccess, .insulinRecordAccess: "control point"
    default: "record characteristic"
    }
  }
}

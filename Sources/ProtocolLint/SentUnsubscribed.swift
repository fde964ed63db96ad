import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// GATT-007: the sensor sends what is not turned on.
public struct SentUnsubscribed: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "GATT-007",
    name: "sent-unsubscribed",
    summary: "the sensor sends notifications or indications of a characteristic whose CCCD is off",
    rationale: """
      What nobody has turned on is dropped by most hosts before the app sees it: the sensor takes the record for \
      delivered, and it is lost. It may also reach a collector that has no right to it.
      """,
    remedy: """
      Sensor: before each notification and indication look at the Client Characteristic Configuration of this \
      collector; it is off until it is written, unless a bond has kept it. Bit 0 turns on notifications, bit 1 \
      indications: records and contexts are notified.
      """,
    clause: "Core Vol 3 Part G 3.3.3.3",
    needs: [.bothDirections, .noLoss, .whole],
    explains: ["RACP-027", "RACP-028"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "contexts come although only the measurement and the control point are on",
        "context-off",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .subscribe([.measurement, .recordAccess]),
          .report(.all), .accept, .records(1...3),
          .measurement(Meter().measurement(4, withOffset: false)), .marked(.context(Meter().context(4))),
          .result(.report, .success), .confirm, .farewell,
        ]
      ).alongside("GATT-003", "GATT-004"),
      RuleExample(
        .error,
        "a new reading is sent before anything was turned on or asked for",
        "before-subscription",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .wait(milliseconds: 1000), .marked(.record(1)),
          .wait(milliseconds: 3000), .subscribe(), .fetch(.all, 1...3), .farewell,
        ]
      ),
      RuleExample(
        .error,
        "contexts come as indications, and notifications were turned on",
        "contexts-indicated",
        [
          .firstArrival, .report(.all), .accept, .records(1...3),
          .measurement(Meter().measurement(4, withOffset: false)),
          .marked(.indicate(.context, Meter().context(4).octets)), .confirm, .records(5...6),
          .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "measurements come as indications, and notifications were turned on",
        "measurements-indicated",
        [
          .firstArrival, .report(.all), .accept,
          .marked(.indicate(.measurement, Meter().measurement(1, withOffset: true).octets)), .confirm,
          .indicate(.measurement, Meter().measurement(2, withOffset: false).octets), .confirm, .record(3),
          .result(.report, .success), .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "nothing comes before it is turned on",
        "turned-on",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      ),
      RuleExample(
        "turned on by prepared writes",
        "prepared",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose,
          .prepareWrite(.measurementConfiguration, offset: 0, [1, 0]),
          .prepareWrite(.contextConfiguration, offset: 0, [1]),
          .prepareWrite(.contextConfiguration, offset: 1, [0]),
          .prepareWrite(.recordAccessConfiguration, offset: 0, [2, 0]), .executeWrite(writes: true), .accept,
          .fetch(.all, 1...6), .farewell,
        ]
      ),
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard let sensor = history.sensor else { return .notApplicable }
    var findings: [Finding] = []
    var isJudged = false
    var isDoubtful = false
    var mayCross = false
    for slot in history.handles.indices {
      let traffic = history.handles[slot]
      guard traffic.server == sensor, traffic.notifications + traffic.indications > 0,
        traffic.role == .glucoseMeasurement || traffic.role == .glucoseContext || traffic.role == .recordAccess
      else { continue }
      // What no collector can turn on is a declaration's fault.
      let isMissing = subject.missingConfigurations.contains(traffic.role, within: traffic.handle...traffic.handle)
      if isMissing { continue }
      isJudged = true
      // Of a handle that is only inferred to be such a one nothing tells where its configuration stands.
      let isInferred = traffic.provenance <= .inferred
      let members = isInferred ? 0...UInt16.max : traffic.handle...traffic.handle
      for kind in kinds(of: traffic) {
        guard let spans = subject.subscriptions.spansOff(traffic.role, within: members, bit: kind.bit, history) else {
          isDoubtful = true
          continue
        }
        let sent = spans.flatMap { span in span.filter { kind.isSent(history.pdus[$0], slot, sensor) } }
        let isCrossing =
          sensor == .remote
          && subject.subscriptions.spansOpening(traffic.role, within: members, bit: kind.bit).contains { span in
            spans.contains { $0.upperBound == span.lowerBound }
              && span.contains { kind.isSent(history.pdus[$0], slot, sensor) }
          }
        if !sent.isEmpty {
          findings.append(finding(sent, traffic.role, history, subject))
        } else if isCrossing {
          mayCross = true
        } else if let first = history.place(ofFrame: traffic.firstFrame),
          subject.subscriptions.state(of: traffic.role, within: members, at: first) == .unknown
        {
          isDoubtful = true
        }
      }
    }
    if !findings.isEmpty { return .fail(findings) }
    guard isJudged else { return .notApplicable }
    if mayCross { return .inconclusive("a value may have been sent before the write that turned it on had arrived") }
    if isDoubtful { return .inconclusive(subject.subscriptions.doubt) }
    // It may be one of the service's.
    let isUnnamed = history.handles.contains {
      $0.server == sensor && $0.role == .unknown && $0.notifications + $0.indications > 0
    }
    return isUnnamed ? .inconclusive("the sensor sends values of a handle that nothing names") : .pass
  }

  /// What a server sends by itself, and the bit of the configuration that turns it on.
  private struct Kind {
    var opcodes: [ATTOpcode]
    var bit: UInt16

    /// True for a value of this kind that the handle's server sends by itself.
    func isSent(_ pdu: AttributePDU, _ slot: Int, _ sensor: Side) -> Bool {
      Int(pdu.attribute) == slot && pdu.server == sensor && opcodes.contains(pdu.opcode)
    }
  }

  /// What was sent of an attribute. A result as a notification is another rule's business.
  private func kinds(of traffic: HandleTraffic) -> [Kind] {
    let (notified, indicated): ([ATTOpcode], [ATTOpcode]) = ([.notification, .multipleNotification], [.indication])
    if traffic.role.isControlPoint { return [Kind(opcodes: notified + indicated, bit: 2)] }
    var kinds: [Kind] = []
    if traffic.notifications > 0 { kinds.append(Kind(opcodes: notified, bit: 1)) }
    if traffic.indications > 0 { kinds.append(Kind(opcodes: indicated, bit: 2)) }
    return kinds
  }

  private func finding(
    _ sent: [Int],
    _ role: AttributeRole,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let first = history.pdus[sent[0]]
    let name = history.attributeName(first)
    let isOther = subject.subscriptions.state(of: role, at: UInt32(sent[0])) == .on
    return Finding(
      "GATT-007",
      .error,
      .sensor,
      .certain,
      link: history.number,
      frames: sent.map { history.pdus[$0].frame },
      time: first.time,
      key: name + (isOther ? " indicated" : ""),
      message: "sent \(countText(sent.count, first.opcode == .indication ? "indication" : "notification")) of the "
        + (isOther ? "\(name), of which only notifications are turned on" : "\(name) with its CCCD off"),
      evidence: [
        "the first in frame \(first.frame); "
          + (isOther
            ? "bit 0 of the CCCD is set, and bit 1 is not" : "the CCCD was not turned on before it on this link")
      ]
    )
  }
}

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
      collector; it is off until it is written, unless a bond has kept it.
      """,
    clause: "Core Vol 3 Part G 3.3.3.3",
    needs: [.bothDirections, .noLoss, .whole],
    explains: ["RACP-028"]
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
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "nothing comes before it is turned on",
        "turned-on",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard let sensor = history.sensor else { return .notApplicable }
    var findings: [Finding] = []
    var isJudged = false
    var isDoubtful = false
    for slot in history.handles.indices {
      let traffic = history.handles[slot]
      guard traffic.server == sensor, traffic.notifications + traffic.indications > 0,
        traffic.role == .glucoseMeasurement || traffic.role == .glucoseContext || traffic.role == .recordAccess
      else { continue }
      isJudged = true
      // Of a handle that is only inferred to be such a one nothing tells where its configuration stands.
      let isInferred = traffic.provenance <= .inferred
      let members = isInferred ? 0...UInt16.max : traffic.handle...traffic.handle
      guard let spans = subject.subscriptions.spansOff(traffic.role, within: members, history) else {
        isDoubtful = true
        continue
      }
      let sent = spans.flatMap { span in
        span.filter { index in
          let pdu = history.pdus[index]
          return Int(pdu.attribute) == slot && pdu.server == sensor
            && (pdu.opcode == .notification || pdu.opcode == .indication || pdu.opcode == .multipleNotification)
        }
      }
      if !sent.isEmpty {
        findings.append(finding(sent, history))
      } else if let first = history.place(ofFrame: traffic.firstFrame),
        subject.subscriptions.state(of: traffic.role, within: members, at: first) == .unknown
      {
        isDoubtful = true
      }
    }
    if !findings.isEmpty { return .fail(findings) }
    guard isJudged else { return .notApplicable }
    return isDoubtful
      ? .inconclusive("the subscriptions were set before this capture or on another link") : .pass
  }

  private func finding(_ sent: [Int], _ history: borrowing LinkHistory) -> Finding {
    let first = history.pdus[sent[0]]
    let name = history.attributeName(first)
    return Finding(
      "GATT-007",
      .error,
      .sensor,
      .certain,
      link: history.number,
      frames: sent.map { history.pdus[$0].frame },
      time: first.time,
      key: name,
      message: "sent \(countText(sent.count, first.opcode == .indication ? "indication" : "notification")) of the "
        + "\(name) with its CCCD off",
      evidence: ["the first in frame \(first.frame); the CCCD was not turned on before it on this link"]
    )
  }
}

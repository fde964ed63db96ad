import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// GATT-004: the sensor accepts a request although what the answer comes through is off.
public struct UnsubscribedRequestAccepted: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "GATT-004",
    name: "unsubscribed-request-accepted",
    summary: "the sensor accepts a record access request that it should refuse with 0x81, as a subscription is off",
    rationale: """
      A sensor that says yes and may not send the records leaves the collector waiting: it looks as if there were \
      none, or as if the meter were broken. The refusal is what tells the app what it has forgotten.
      """,
    remedy: """
      Sensor: before it starts a report, check the Client Characteristic Configurations of the measurement, the \
      context and the control point, and answer with the ATT error 0x81 (CCCD improperly configured) where one is off.
      """,
    clause: "GLS 3.4.4 (S28), CGMS 1.8",
    needs: [.bothDirections, .noLoss, .whole],
    explains: ["RACP-004", "RACP-008", "RACP-028", "SEQ-010"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "a report is accepted with nothing turned on",
        "accepted-with-nothing-on",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .report(.all), .marked(.accept),
          .wait(milliseconds: 3000), .disconnect(),
        ]
      ).alongside("GATT-003"),
      RuleExample(
        .error,
        "the two only pair on the first link, and on the second a report is accepted with nothing turned on",
        "accepted-with-nothing-on-since-pairing",
        [
          .pairingAlone, .bondedReturn, .discoverGlucose, .report(.all), .marked(.accept), .wait(milliseconds: 3000),
          .disconnect(),
        ]
      ).alongside("GATT-003"),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the sensor refuses with 0x81",
        "refused-with-nothing-on",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .report(.all), .refuse(error: 0x81), .subscribe(),
          .fetch(.all, 1...6), .farewell,
        ]
      ).alongside("GATT-003"),
      RuleExample(
        "all three are on",
        "accepted-with-all-on",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      ),
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    RequestedSubscriptions.check(
      history,
      subject,
      concerns: { RequestedSubscriptions.isAccepted($0, history) },
      isWrong: { !$1.off.isEmpty },
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
    let answer = procedure.answer ?? procedure.request
    return Finding(
      "GATT-004",
      procedure.opCode == .report ? .error : .note,
      .sensor,
      .certain,
      link: history.number,
      procedure: index,
      otherProcedures: Array(found.procedures.dropFirst()),
      frames: found.procedures.compactMap { history.procedures[$0].answer.map { history.frame($0) } }
        + found.procedures.map { history.frame(history.procedures[$0].request) },
      time: history.time(answer),
      key: hex(found.octets),
      message:
        "accepted \(subject.quoted(index)) \(timesText(found.procedures.count)) while \(needed.off.state), "
        + "instead of refusing it with \(procedure.source == .continuousGlucose ? "0xFD" : "0x81") (CCCD improperly configured)",
      evidence: [
        "request in frame \(history.frame(procedure.request)), Write Response in frame \(history.frame(answer))",
        "\(countText(Int(procedure.records), "record")) came",
      ]
    )
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-005: the result of a request comes as a notification.
public struct ResultNotified: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-005",
    name: "result-notified",
    summary: "the sensor sends the result of a request as a notification instead of an indication",
    rationale: """
      The control point is indicated, so that the sensor knows that the result has arrived. A collector that enabled \
      indications drops the notification and waits for 30 s.
      """,
    remedy: """
      Sensor: send op codes 05 and 06 on the control point as Handle Value Indications, and declare the characteristic \
      with write and indicate only.
      """,
    clause: "GLS table 3.1, GLS 3.4 (S4)",
    needs: [.bothDirections, .noLoss],
    explains: ["RACP-004", "GATT-002", "GATT-007", "CONN-008"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "success is notified",
        "success-notified",
        [
          .firstArrival, .report(.all), .accept, .records(1...6),
          .marked(.notify(.recordAccess, [0x06, 0x00, 0x01, 0x01])), .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "success is indicated",
        "success-indicated",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    var notified: [Int] = []
    var isJudged = false
    for index in history.procedures.indices where history.procedures[index].dialect == .health {
      guard let result = history.procedures[index].result else { continue }
      isJudged = true
      let pdu = history.pdus[Int(result)]
      guard pdu.opcode.role == .notification, pdu.valueCount >= 1 else { continue }
      let octet = history.value(pdu).u8(at: 0)
      if octet == 0x05 || octet == 0x06 { notified.append(index) }
    }
    guard isJudged else { return .notApplicable }
    if notified.isEmpty { return .pass }
    return .fail(
      RequestCase.grouped(notified, subject).map { found in
        let procedure = history.procedures[found.procedures[0]]
        return found.finding(
          "RACP-005",
          .error,
          .sensor,
          .certain,
          message:
            "notified the result \(octetText(history.resultOctets(procedure))) of \(subject.quoted(found.procedures[0]))",
          evidence: [
            "frame \(history.frame(procedure.result ?? procedure.request)) is a Handle Value Notification (1B), not an "
              + "indication (1D)"
          ],
          history
        ) { $0.result ?? $0.request }
      }
    )
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// GATT-012: the collector uses handles of a table that is no more.
public struct StaleHandle: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "GATT-012",
    name: "stale-handle",
    summary: "the collector uses a handle the sensor does not have, from a discovery of an earlier link",
    rationale: """
      A collector may keep the handles of a bonded sensor. After a firmware update, or where the bond is not that of \
      the table, they point elsewhere: requests fail, or reach something else.
      """,
    remedy: """
      Collector: on error 0x01 or 0x12 forget the handles and discover again. Sensor: after its table has changed \
      indicate Service Changed to every bonded collector.
      """,
    clause: "Core Vol 3 Part G, caching of attributes; GLP 5.2.2 (C16)",
    needs: [.bothDirections, .noLoss, .everyIndication, .start],
    explains: ["GATT-003"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "a subscription is written to a handle that does not exist",
        "no-such-handle",
        [
          .firstArrival, .fetch(.all, 1...3), .farewell, .later(minutes: 60), .bondedArrival,
          .write(.handle(0x0124), [0x02, 0x00]), .marked(.refuse(error: 0x01)), .report(.atLeast(4)), .accept,
          .result(.report, .noRecordsFound), .confirm, .wait(milliseconds: 2000), .disconnect(),
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the collector discovers again",
        "discovers-again",
        [
          .firstArrival, .fetch(.all, 1...3), .farewell, .later(minutes: 60), .bondedArrival,
          .write(.handle(0x0124), [0x02, 0x00]), .refuse(error: 0x01), .discoverGlucose, .subscribe(),
          .fetchNothing(.atLeast(4)), .farewell,
        ]
      ).alongside("APP-012")
    ]
  }

  /// Within this time a collector begins to discover again. Microseconds.
  private static let patience: Int64 = 5_000_000

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard subject.isHealth, let sensor = subject.sensor else { return .notApplicable }
    let isEmpty = subject.exchanges.errors.isEmpty && history.subscriptions.isEmpty
    if isEmpty || history.pdus.isEmpty { return .notApplicable }
    if !subject.survey.rows.isEmpty { return .pass }
    let wrong = subject.exchanges.errors.filter { isStale($0, sensor, history) }
    guard let first = wrong.first else { return .pass }
    let places = Set(wrong)
    let pdu = history.pdus[Int(first)]
    if history.end.cause != .disconnected && subject.watchedUntil - pdu.time < Self.patience {
      return .inconclusive("the capture ends before the collector could discover again")
    }
    let request = history.pdus[Int(pdu.partner)]
    let error = history.errorCode(first)
    return .fail([
      Finding(
        "GATT-012",
        .warning,
        .undetermined,
        .likely,
        link: history.number,
        otherProcedures: history.procedures.indices.filter {
          history.procedures[$0].answer.map { places.contains($0) } ?? false
        },
        frames: wrong.map { history.frame($0) } + [request.frame],
        time: pdu.time,
        key: errorText(error),
        message:
          "\(request.opcode.name.lowercased()) on handle 0x\(hex(UInt64(request.handle), digits: 4)) refused with "
          + "\(refusalText(error)), and no discovery on this link"
          + (wrong.count > 1 ? "; \(countText(wrong.count, "such refusal")) in all" : ""),
        evidence: [
          "request in frame \(request.frame), refusal in frame \(pdu.frame)",
          "the handle is from an earlier link: the sensor's table has changed, or the collector mixed up two sensors",
        ]
      )
    ])
  }

  /// True for an Invalid Handle or Database Out Of Sync in answer to a request that names one handle.
  private func isStale(_ index: UInt32, _ sensor: Side, _ history: borrowing LinkHistory) -> Bool {
    let pdu = history.pdus[Int(index)]
    guard pdu.server == sensor else { return false }
    switch history.pdus[Int(pdu.partner)].opcode {
    case .readRequest, .readBlobRequest, .writeRequest, .prepareWriteRequest: break
    default: return false
    }
    let code = history.errorCode(index).rawValue
    return code == 0x01 || code == 0x12
  }
}

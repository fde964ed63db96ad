import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// GATT-010: the collector reads or writes what may not be read or written.
public struct AccessNotPermitted: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "GATT-010",
    name: "access-not-permitted",
    summary: "the collector reads the measurement, the context or the control point, or writes the feature",
    rationale: """
      Records are not read: they are asked for on the control point and come as notifications. An app that reads gets \
      an error, and often gives up there.
      """,
    remedy: """
      Collector: subscribe to the measurement and the control point, then write 01 01 to the control point.
      """,
    clause: "GLS table 3.1 (S4)",
    needs: [.bothDirections, .noLoss],
    explains: ["APP-001"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "the collector reads the measurement and the control point",
        "reads-records",
        [
          .firstArrival, .marked(.attribute(from: .collector, [0x0A, 0x1B, 0x00])),
          .attribute(from: .sensor, [0x01, 0x0A, 0x1B, 0x00, 0x02]), .attribute(from: .collector, [0x0A, 0x23, 0x00]),
          .attribute(from: .sensor, [0x01, 0x0A, 0x23, 0x00, 0x02]), .ask(answer: 0), .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "only the feature is read",
        "reads-feature",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard let sensor = history.sensor, subject.isGlucose else { return .notApplicable }
    let suspects = history.handles.indices.filter { slot in
      let traffic = history.handles[slot]
      guard traffic.server == sensor else { return false }
      switch traffic.role {
      case .glucoseMeasurement, .glucoseContext, .recordAccess:
        // A service that allows reading is another one.
        return traffic.reads > 0 && (history.database(sensor)[traffic.handle]?.properties ?? 0) & 0x02 == 0
      case .glucoseFeature: return traffic.writes > 0
      default: return false
      }
    }
    if suspects.isEmpty { return .pass }
    let wrong = history.pdus.indices.filter { place in
      let pdu = history.pdus[place]
      guard pdu.attribute != .max, suspects.contains(Int(pdu.attribute)) else { return false }
      let isFeature = history.role(pdu) == .glucoseFeature
      switch pdu.opcode {
      case .readRequest, .readBlobRequest: return !isFeature
      case .writeRequest, .prepareWriteRequest, .writeCommand, .signedWriteCommand: return isFeature
      default: return false
      }
    }
    guard let place = wrong.first else { return .pass }
    let pdu = history.pdus[place]
    let names = Set(wrong.map { history.attributeName(history.pdus[$0]) }).sorted()
    return .fail([
      Finding(
        "GATT-010",
        .warning,
        .collector,
        .certain,
        link: history.number,
        frames: wrong.map { history.pdus[$0].frame },
        time: pdu.time,
        key: history.attributeName(pdu),
        message: "\(pdu.opcode.name.lowercased()) on the \(history.attributeName(pdu)), which does not permit it"
          + (wrong.count > 1 ? "; \(wrong.count) such requests in all" : ", in frame \(pdu.frame)"),
        evidence: [
          "on: " + names.joined(separator: ", "),
          pdu.partner == AttributePDU.none
            ? "not answered" : "answered in frame \(history.frame(pdu.partner)) with \(answer(pdu.partner, history))",
        ]
      )
    ])
  }

  private func answer(_ place: UInt32, _ history: borrowing LinkHistory) -> String {
    let error = history.errorCode(place)
    return error.rawValue == 0 ? history.pdus[Int(place)].opcode.name : refusalText(error)
  }
}

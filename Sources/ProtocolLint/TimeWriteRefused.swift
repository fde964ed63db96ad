import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// CLK-008: the sensor refuses to have its clock set.
public struct TimeWriteRefused: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "CLK-008",
    name: "time-write-refused",
    summary: "the sensor refuses a write to Current Time or Date Time",
    rationale: """
      The meter's clock stays as it is. An app that takes the write for done shows the readings at a wrong time, and \
      its user sees another time on the meter.
      """,
    remedy: """
      Collector: read the time back and tell the user to set the clock on the meter. Error 0x80 of the Current Time \
      Service only says that a field was ignored.
      """,
    clause: "good practice; CTS 1.6",
    needs: [.bothDirections, .noLoss]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "the write to Current Time is not permitted",
        "current-time-refused",
        [
          .selectMeter(Self.meter), .firstArrival, .write(.currentTime, Self.time), .marked(.refuse(error: 0x03)),
          .fetch(.all, 1...6), .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the write is accepted",
        "current-time-accepted",
        [
          .selectMeter(Self.meter), .firstArrival, .write(.currentTime, Self.time), .accept, .fetch(.all, 1...6),
          .farewell,
        ]
      ),
      RuleExample(
        "a field of the time is ignored",
        "field-ignored",
        [
          .selectMeter(Self.meter), .firstArrival, .write(.currentTime, Self.time), .refuse(error: 0x80),
          .fetch(.all, 1...6), .farewell,
        ]
      ),
    ]
  }

  private static var meter: Meter {
    var meter = Meter()
    meter.hasCurrentTime = true
    return meter
  }

  /// 4 March 2026, 8:00 on a Wednesday.
  private static let time: [UInt8] = [0xEA, 0x07, 0x03, 0x04, 0x08, 0x00, 0x00, 0x03, 0x00, 0x00]

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard let sensor = history.sensor else { return .notApplicable }
    let hasWritten = history.handles.contains {
      $0.server == sensor && $0.writes > 0 && isTime($0.handle, sensor, history)
    }
    guard hasWritten else { return .notApplicable }
    var refused: [UInt32] = []
    for index in subject.exchanges.errors {
      let pdu = history.pdus[Int(index)]
      let request = history.pdus[Int(pdu.partner)]
      guard pdu.server == sensor, request.opcode == .writeRequest, isTime(request.handle, sensor, history) else {
        continue
      }
      switch history.errorCode(index).rawValue {
      // A field ignored; missing security, which other rules judge; an error that was cut.
      case 0x80, 0x05, 0x08, 0x0C, 0x0F, 0x00: continue
      default: refused.append(index)
      }
    }
    guard let first = refused.first else { return .pass }
    let pdu = history.pdus[Int(first)]
    return .fail([
      Finding(
        "CLK-008",
        .note,
        .sensor,
        .certain,
        link: history.number,
        frames: refused.map { history.frame($0) } + [history.frame(pdu.partner)],
        time: pdu.time,
        key: "time write",
        message: "refused \(countText(refused.count, "write")) of the time, the first with "
          + refusalText(history.errorCode(first), isGlucose: false),
        evidence: [history.octetsText(pdu.partner), "the meter's clock stays as it was"]
      )
    ])
  }

  private func isTime(_ handle: UInt16, _ sensor: Side, _ history: borrowing LinkHistory) -> Bool {
    guard let type = history.database(sensor)[handle]?.type.short else { return false }
    return type == 0x2A2B || type == 0x2A08
  }
}

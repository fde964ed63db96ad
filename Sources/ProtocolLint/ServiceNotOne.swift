import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// GATT-019: more than one glucose service, or one that is not primary.
public struct ServiceNotOne: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "GATT-019",
    name: "service-not-one",
    summary: "the sensor has the glucose service twice, or as a secondary service",
    rationale: """
      A collector uses the one it finds first. With two of them it depends on the collector which records it gets, \
      and a secondary one is not found at all.
      """,
    remedy: """
      Sensor: exactly one Glucose Service (1808), declared as primary.
      """,
    clause: "GLP 3 (S3)",
    needs: [.bothDirections, .noLoss, .whole]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "the service is told twice",
        "told-twice",
        [
          .arrival, .exchangeMTU(185), .pair(), .askForServices(),
          .marked(.tellServices([.init(0x0019, 0x0024, 0x1808), .init(0x0030, 0x003B, 0x1808)])),
          .discoverGlucoseCharacteristics, .subscribe(), .fetch(.all, 1...3), .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "one primary service",
        "one-primary",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard let sensor = subject.sensor, !subject.survey.rows.isEmpty else { return .notApplicable }
    let table = history.database(sensor)
    let services = table.discoveredServices(0x1808)
    guard let last = services.last else { return .notApplicable }
    let secondary = services.filter { $0.kind == .secondaryService }
    if services.count == 1 && secondary.isEmpty {
      return subject.survey.covers(.services, 0x0001...0xFFFF)
        || subject.survey.covers(.servicesOfType, 0x0001...0xFFFF)
        ? .pass : .inconclusive("the discovery of services was not carried out to its end")
    }
    // What is discovered after a change of the table may stand beside what was discovered before.
    let changed = BluetoothUUID(0x2A05)
    let hasChanged = history.handles.contains {
      $0.server == sensor && $0.indications > 0 && table[$0.handle]?.type == changed
    }
    if hasChanged { return .inconclusive("the sensor's table changed while it was discovered") }
    let odd = secondary.first ?? last
    let answer =
      subject.survey.firstAnswer(.services, about: odd.handle)
      ?? subject.survey.firstAnswer(.servicesOfType, about: odd.handle)
    let places = services.map { "\($0.kind.rawValue) at \($0.rangeText)" }
    return .fail([
      Finding(
        "GATT-019",
        .error,
        .sensor,
        .certain,
        link: history.number,
        frames: [answer.map { history.frame($0) } ?? history.firstFrame],
        time: answer.map { history.time($0) } ?? history.firstTime,
        key: places.joined(separator: ", "),
        message: services.count > 1
          ? "the glucose service stands in the table \(timesText(services.count)): \(places.joined(separator: ", "))"
          : "the glucose service is a \(places.joined(separator: ", "))",
        evidence: ["one primary service is due"]
      )
    ])
  }
}

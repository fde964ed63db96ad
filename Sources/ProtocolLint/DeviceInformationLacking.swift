import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// GATT-017: a glucose sensor without the device information the profile asks for.
public struct DeviceInformationLacking: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "GATT-017",
    name: "device-information-lacking",
    summary: "the sensor has no Device Information Service, or not its manufacturer name, model number or system ID",
    rationale: """
      Collectors file readings by the device they came from: without manufacturer, model and system ID two meters of \
      one person cannot be told apart once their addresses are private.
      """,
    remedy: """
      Sensor: add the Device Information Service (180A) with Manufacturer Name (2A29), Model Number (2A24) and \
      System ID (2A23).
      """,
    clause: "GLP 3, GLP 3.2 (S3)",
    needs: [.bothDirections, .noLoss, .whole]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "the sensor has no Device Information Service",
        "no-device-information",
        [
          .arrival, .exchangeMTU(185), .pair(), .askForServices(),
          .tellServices([.init(0x0001, 0x0005, 0x1800), .init(0x0019, 0x0024, 0x1808)]), .askForServices(from: 0x0025),
          .marked(.noMoreServices(from: 0x0025)), .discoverGlucoseCharacteristics, .subscribe(), .fetch(.all, 1...3),
          .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "it has the service without a system ID",
        "no-system-id",
        [
          .arrival, .exchangeMTU(185), .pair(), .askForServices(),
          .tellServices([.init(0x000E, 0x0014, 0x180A), .init(0x0019, 0x0024, 0x1808)]),
          .askForCharacteristics(from: 0x000E, to: 0x0014),
          .tellCharacteristics([.init(0x000F, 0x02, 0x2A29), .init(0x0011, 0x02, 0x2A24)]),
          .askForCharacteristics(from: 0x0012, to: 0x0014), .marked(.noMoreCharacteristics(from: 0x0012)),
          .discoverGlucoseCharacteristics, .subscribe(), .fetch(.all, 1...3), .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the service has all three",
        "all-three",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  private static let required: [(type: UInt16, name: String)] = [
    (0x2A29, "Manufacturer Name"), (0x2A24, "Model Number"), (0x2A23, "System ID"),
  ]

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard let sensor = subject.sensor else { return .notApplicable }
    if subject.lacksDiscovery(history) { return .inconclusive(DiscoverySurvey.lacking(history)) }
    guard subject.isGlucose, !subject.survey.rows.isEmpty else { return .notApplicable }
    let table = history.database(sensor)
    guard !table.discoveredServices(0x1808).isEmpty else { return .notApplicable }
    guard let service = table.discoveredServices(0x180A).first else {
      guard subject.survey.covers(.services, 0x0001...0xFFFF),
        let answer = subject.survey.lastAnswer(.services, about: 0x0001...0xFFFF)
      else { return .inconclusive("the discovery of services was not carried out to its end") }
      return .fail([finding("no Device Information Service (180A)", "180A", answer, history)])
    }
    let found = table.characteristics(of: service)
    let missing = Self.required.filter { entry in !found.contains { $0.type == BluetoothUUID(entry.type) } }
    if missing.isEmpty { return .pass }
    guard let answer = subject.survey.endOfCharacteristics(of: service)
    else { return .inconclusive("the discovery of the Device Information Service was not carried out to its end") }
    let names = missing.map { "\($0.name) (\(hex(UInt64($0.type), digits: 4)))" }.joined(separator: " and no ")
    return .fail([
      finding("no \(names) in the Device Information Service at \(service.rangeText)", names, answer, history)
    ])
  }

  private func finding(
    _ message: String,
    _ key: String,
    _ answer: UInt32,
    _ history: borrowing LinkHistory
  ) -> Finding {
    Finding(
      "GATT-017",
      .warning,
      .sensor,
      .certain,
      link: history.number,
      frames: [history.frame(answer)],
      time: history.time(answer),
      key: key,
      message: message,
      evidence: ["the discovery came to its end in frame \(history.frame(answer))"]
    )
  }
}

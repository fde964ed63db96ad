import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// GATT-001: a glucose service without a characteristic it must have.
public struct RequiredCharacteristicAbsent: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "GATT-001",
    name: "required-characteristic-absent",
    summary: "the glucose service lacks the measurement, the feature or the control point",
    rationale: """
      A collector looks for all three and gives the sensor up where one is missing: without the control point no \
      stored record can be asked for, without the measurement none can come.
      """,
    remedy: """
      Sensor: put Glucose Measurement (2A18), Glucose Feature (2A51) and Record Access Control Point (2A52) into the \
      service.
      """,
    clause: "GLS table 3.1 (S4)",
    needs: [.bothDirections, .noLoss, .whole],
    explains: ["GATT-018"]
  )

  private static let announced: GlucoseMeasurement = {
    var measurement = Meter().measurement(1)
    measurement.annunciation = SensorStatusAnnunciation(rawValue: 0x0020)
    return measurement
  }()

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "the service has no feature",
        "no-feature",
        [
          .arrival, .exchangeMTU(185), .pair(), .askForServices(),
          .tellServices([.init(0x0019, 0x0024, 0x1808)]), .askForCharacteristics(from: 0x0019, to: 0x0024),
          .tellCharacteristics([.init(0x001A, 0x10, 0x2A18), .init(0x0022, 0x28, 0x2A52)]),
          .askForCharacteristics(from: 0x0023, to: 0x0024), .marked(.noMoreCharacteristics(from: 0x0023)), .subscribe(),
          .fetch(.all, 1...3), .farewell,
        ]
      ),
      RuleExample(
        .error,
        "there is no feature to read, and a record has a status annunciation",
        "no-feature-for-annunciation",
        [
          .arrival, .exchangeMTU(185), .pair(), .askForServices(),
          .tellServices([.init(0x0019, 0x0024, 0x1808)]), .askForCharacteristics(from: 0x0019, to: 0x0024),
          .tellCharacteristics([.init(0x001A, 0x10, 0x2A18), .init(0x0022, 0x28, 0x2A52)]),
          .askForCharacteristics(from: 0x0023, to: 0x0024), .marked(.noMoreCharacteristics(from: 0x0023)), .subscribe(),
          .report(.all), .accept, .measurement(Self.announced), .result(.report, .success), .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "all characteristics are there",
        "all-there",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  private static let required: [(type: UInt16, name: String)] = [
    (0x2A18, "Glucose Measurement"), (0x2A51, "Glucose Feature"), (0x2A52, "Record Access Control Point"),
  ]

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard let sensor = subject.sensor else { return .notApplicable }
    if subject.lacksDiscovery(history) { return .inconclusive(DiscoverySurvey.lacking(history)) }
    guard !subject.survey.rows.isEmpty else { return .notApplicable }
    let table = history.database(sensor)
    let services = table.discoveredServices(0x1808)
    guard !services.isEmpty else { return .notApplicable }
    var findings: [Finding] = []
    var isDoubtful = false
    for service in services {
      let found = table.characteristics(of: service)
      let missing = Self.required.filter { entry in !found.contains { $0.type == BluetoothUUID(entry.type) } }
      if missing.isEmpty { continue }
      if let answer = subject.survey.endOfCharacteristics(of: service) {
        findings.append(
          finding(service, missing.map { "\($0.name) (\(hex(UInt64($0.type), digits: 4)))" }, answer, history)
        )
      } else {
        isDoubtful = true
      }
    }
    if !findings.isEmpty { return .fail(findings) }
    return isDoubtful ? .inconclusive("the discovery of the glucose service was not carried out to its end") : .pass
  }

  private func finding(
    _ service: Attribute,
    _ missing: [String],
    _ answer: UInt32,
    _ history: borrowing LinkHistory
  ) -> Finding {
    let found = history.database(history.pdus[Int(answer)].server).characteristics(of: service)
    return Finding(
      "GATT-001",
      .error,
      .sensor,
      .certain,
      link: history.number,
      frames: [history.frame(answer)],
      time: history.time(answer),
      key: missing.joined(separator: ", "),
      message: "no \(missing.joined(separator: " and no ")) in the glucose service at \(service.rangeText)",
      evidence: [
        "the discovery of its characteristics came to its end in frame \(history.frame(answer))",
        "found: " + (found.isEmpty ? "nothing" : found.map(\.type.description).joined(separator: ", ")),
      ]
    )
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// GATT-002: a glucose characteristic is declared other than the service has it, or does what its declaration excludes.
public struct WrongDeclaration: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "GATT-002",
    name: "wrong-declaration",
    summary: "a characteristic of the glucose service is declared with other properties, or without a CCCD",
    rationale: """
      Collectors go by the declaration: where it says notify instead of indicate, or has no Client Characteristic \
      Configuration, they subscribe wrongly or not at all, and get no record.
      """,
    remedy: """
      Sensor: declare the measurement and the context with notify (10), the feature with read (02), the control point \
      with write and indicate (28), each but the feature with a Client Characteristic Configuration; carry out \
      only what is declared.
      """,
    clause: "GLS 3, GLS 3.1.2.1, GLS 3.2.2.1, GLS 3.4.6.1 (S4)",
    needs: [.bothDirections, .noLoss, .whole],
    explains: ["RACP-004", "RACP-008", "SEQ-011", "APP-003"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "the control point may be read",
        "readable-control-point",
        [
          .arrival, .exchangeMTU(185), .pair(), .askForServices(),
          .tellServices([.init(0x0019, 0x0024, 0x1808)]), .askForCharacteristics(from: 0x0019, to: 0x0024),
          .marked(
            .tellCharacteristics([
              .init(0x001A, 0x10, 0x2A18), .init(0x001D, 0x10, 0x2A34), .init(0x0020, 0x02, 0x2A51),
              .init(0x0022, 0x2A, 0x2A52),
            ])
          ), .discoverGlucoseConfigurations, .subscribe(), .fetch(.all, 1...3), .farewell,
        ]
      ),
      RuleExample(
        .error,
        "the measurement is indicated as well, and the control point takes commands",
        "two-wrong-declarations",
        [
          .arrival, .exchangeMTU(185), .pair(), .askForServices(),
          .tellServices([.init(0x0019, 0x0024, 0x1808)]), .askForCharacteristics(from: 0x0019, to: 0x0024),
          .marked(
            .tellCharacteristics([
              .init(0x001A, 0x30, 0x2A18), .init(0x001D, 0x10, 0x2A34), .init(0x0020, 0x02, 0x2A51),
              .init(0x0022, 0x2C, 0x2A52),
            ])
          ), .discoverGlucoseConfigurations, .subscribe(), .fetch(.all, 1...3), .farewell,
        ]
      ),
      RuleExample(
        .error,
        "the measurement has no CCCD",
        "no-configuration",
        [
          .arrival, .exchangeMTU(185), .pair(), .askForServices(),
          .tellServices([.init(0x0019, 0x0022, 0x1808)]), .askForCharacteristics(from: 0x0019, to: 0x0022),
          .tellCharacteristics([
            .init(0x001A, 0x10, 0x2A18), .init(0x001D, 0x02, 0x2A51), .init(0x0020, 0x28, 0x2A52),
          ]), .askForCharacteristics(from: 0x0021, to: 0x0022), .noMoreCharacteristics(from: 0x0021),
          .askForDescriptors(from: 0x001C, to: 0x001C), .marked(.noDescriptors(from: 0x001C)),
          .askForDescriptors(from: 0x0022, to: 0x0022), .tellDescriptors([(0x0022, 0x2902)]), .farewell,
        ]
      ),
      RuleExample(
        .error,
        "the context has no CCCD, and no request needs what it cannot get",
        "no-context-configuration",
        [
          .arrival, .exchangeMTU(185), .pair(), .askForServices(),
          .tellServices([.init(0x0019, 0x0024, 0x1808)]), .askForCharacteristics(from: 0x0019, to: 0x0024),
          .tellCharacteristics([
            .init(0x001A, 0x10, 0x2A18), .init(0x001D, 0x10, 0x2A34), .init(0x0020, 0x02, 0x2A51),
            .init(0x0022, 0x28, 0x2A52),
          ]), .askForCharacteristics(from: 0x0023, to: 0x0024), .noMoreCharacteristics(from: 0x0023),
          .askForDescriptors(from: 0x001F, to: 0x001F), .marked(.noDescriptors(from: 0x001F)),
          .subscribe([.measurement, .recordAccess]), .fetch(.all, 1...3), .farewell,
        ]
      ),
      RuleExample(
        .note,
        "the control point takes a command that it does not declare",
        "command-taken",
        [
          .firstArrival, .writeCommand(.recordAccess, [0x01, 0x01]), .marked(.record(1)), .record(2),
          .result(.report, .success), .confirm, .farewell,
        ]
      ).alongside("GATT-011"),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "declared as the service has them",
        "as-declared",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  /// What the service has: the type, the properties, whether a configuration follows.
  private static let declared: [(type: UInt16, properties: UInt8, isConfigurable: Bool)] = [
    (0x2A18, 0x10, true), (0x2A34, 0x10, true), (0x2A51, 0x02, false), (0x2A52, 0x28, true),
  ]

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard let sensor = subject.sensor, subject.isGlucose else { return .notApplicable }
    var isDoubtful = false
    let commands = commandsTaken(history, subject, isDoubtful: &isDoubtful)
    let table = history.database(sensor)
    let services = subject.survey.rows.isEmpty ? [] : table.discoveredServices(0x1808)
    if services.isEmpty && commands.isEmpty && !isDoubtful { return .notApplicable }
    var wrong: [Wrong] = []
    for service in services {
      let found = table.characteristics(of: service)
      for (place, characteristic) in found.enumerated() {
        guard let wanted = Self.declared.first(where: { BluetoothUUID($0.type) == characteristic.type }) else {
          continue
        }
        if characteristic.properties != wanted.properties {
          wrong.append(properties(characteristic, wanted.properties, history, subject))
        }
        guard wanted.isConfigurable else { continue }
        let end = place + 1 < found.count ? found[place + 1].handle - 1 : service.groupEnd
        switch MissingConfigurations.answer(characteristic, end, service, table, subject.survey) {
        case .some(let answer): wrong.append(unconfigurable(characteristic, answer, history))
        case nil:
          let value = characteristic.groupEnd
          // One that takes a subscription has a configuration.
          let isKnown =
            table.subscriptionHandle(ofValue: value) != nil
            || history.subscriptions.contains { $0.characteristic == value && $0.error == 0 && $0.server == sensor }
          if !isKnown { isDoubtful = true }
        }
      }
    }
    var findings = declarations(wrong, history, subject).map { [$0] } ?? []
    findings += commands.map { command($0, history, subject) }
    if !findings.isEmpty { return .fail(findings) }
    return isDoubtful ? .inconclusive("the glucose service was not discovered to its end") : .pass
  }

  /// One declaration that is wrong: the answer that shows it, and what is said of it.
  private struct Wrong {
    var answer: UInt32?
    var key: String
    var message: String
    var evidence: String
  }

  private func properties(
    _ characteristic: Attribute,
    _ wanted: UInt8,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Wrong {
    let actual = "0x" + hex([characteristic.properties])
    return Wrong(
      answer: subject.survey.firstAnswer(.characteristics, about: characteristic.handle),
      key: "\(characteristic.type) \(actual)",
      message: "\(name(characteristic)) declared with properties \(codeText(characteristic.properties)) instead of "
        + codeText(wanted),
      evidence: "declaration at 0x\(hex(UInt64(characteristic.handle), digits: 4)), value at "
        + "0x\(hex(UInt64(characteristic.groupEnd), digits: 4))"
    )
  }

  private func unconfigurable(
    _ characteristic: Attribute,
    _ answer: UInt32,
    _ history: borrowing LinkHistory
  ) -> Wrong {
    Wrong(
      answer: answer,
      key: "\(characteristic.type) CCCD",
      message: "\(name(characteristic)) has no Client Characteristic Configuration: no collector can turn it on",
      evidence: "all that follows the value at 0x\(hex(UInt64(characteristic.groupEnd), digits: 4)) was discovered by "
        + "frame \(history.frame(answer))"
    )
  }

  /// One finding about all declarations that are wrong.
  private func declarations(
    _ wrong: [Wrong],
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding? {
    guard let first = wrong.first else { return nil }
    var frames: [UInt32] = []
    for item in wrong {
      let frame = item.answer.map { history.frame($0) } ?? history.firstFrame
      if !frames.contains(frame) { frames.append(frame) }
    }
    // What a request lacks for want of a configuration is no other's fault.
    var hindered: [Int] = []
    if !subject.missingConfigurations.isEmpty {
      hindered = history.procedures.indices.filter {
        RequestedSubscriptions.isOnlyHindered($0, history, subject, by: \.missing)
      }
    }
    return Finding(
      "GATT-002",
      .error,
      .sensor,
      .certain,
      link: history.number,
      otherProcedures: hindered,
      frames: frames,
      time: first.answer.map { history.time($0) } ?? history.firstTime,
      key: wrong.map(\.key).joined(separator: ", "),
      message: wrong.map(\.message).joined(separator: "; "),
      evidence: wrong.map(\.evidence)
    )
  }

  /// A characteristic as messages have it: in lower case, with its type.
  private func name(_ characteristic: Attribute) -> String {
    let word =
      switch AttributeRole(characteristic.type) {
      case .glucoseMeasurement: "measurement"
      case .glucoseContext: "context"
      case .glucoseFeature: "feature"
      default: "control point"
      }
    return "\(word) (\(characteristic.type))"
  }

  /// Procedures begun by a Write Command that the declaration excludes and the sensor carried out all the same.
  private func commandsTaken(
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject,
    isDoubtful: inout Bool
  ) -> [RequestCase] {
    var taken: [Int] = []
    for index in history.procedures.indices
    where history.pdus[Int(history.procedures[index].request)].opcode == .writeCommand {
      let procedure = history.procedures[index]
      let properties = history.database(procedure.server)[procedure.controlPoint]?.properties ?? 0
      guard properties & 0x04 == 0, procedure.firstRecord != nil || procedure.result != nil else { continue }
      if properties == 0 || !subject.standings[index].isClear { isDoubtful = true } else { taken.append(index) }
    }
    return taken.isEmpty ? [] : RequestCase.grouped(taken, subject)
  }

  private func command(
    _ found: RequestCase,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let index = found.procedures[0]
    let procedure = history.procedures[index]
    let first = min(procedure.firstRecord ?? .max, procedure.result ?? .max)
    return Finding(
      "GATT-002",
      .note,
      .sensor,
      .certain,
      link: history.number,
      procedure: index,
      otherProcedures: Array(found.procedures.dropFirst()),
      frames: [history.frame(first)]
        + found.procedures.flatMap { index in
          let other = history.procedures[index]
          return [min(other.firstRecord ?? .max, other.result ?? .max), other.request].map { history.frame($0) }
        },
      time: history.time(first),
      key: "command " + hex(found.octets),
      message:
        "carried out \(subject.quoted(index)) \(timesText(found.procedures.count)), sent as Write Command (0x52), "
        + "which the control point does not declare",
      evidence: [
        "command in frame \(history.frame(procedure.request)), first record or result in frame \(history.frame(first))"
      ]
    )
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// GATT-006: the sensor has forgotten the subscriptions of a bonded collector.
public struct SubscriptionForgotten: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "GATT-006",
    name: "stored-subscription-forgotten",
    summary: "the sensor refuses a request for missing subscriptions that were made under the same bond or on the link",
    rationale: """
      Configurations of a bonded client persist over links, and what is written on a link holds as long as it is up. A \
      sensor that forgets them makes collectors fail that rightly do not write them again.
      """,
    remedy: """
      Sensor: store the configurations with the bond, restore them when the link is encrypted, and look at those of the \
      collector that asks. A collector may write them again on each link.
      """,
    clause: "Core Vol 3 Part G 3.3.3.3",
    needs: [.bothDirections, .noLoss, .everyIndication, .whole, .security, .identity],
    explains: ["GATT-003", "RACP-004"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "refused on the second link of the bond",
        "subscriptions-forgotten",
        [
          .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .bondedArrival,
          .marked(.report(.atLeast(7))), .refuse(error: 0x81), .farewell,
        ]
      ),
      RuleExample(
        .error,
        "a sensor without contexts refuses on the second link of the bond",
        "subscriptions-forgotten-without-contexts",
        [
          .arrival, .exchangeMTU(185), .pair(), .askForServices(), .tellServices([.init(0x0019, 0x0024, 0x1808)]),
          .discoverGlucoseCharacteristicsWithoutContext, .subscribe([.measurement, .recordAccess]), .fetch(.all, 1...3),
          .farewell, .later(minutes: 60),
          .bondedArrival, .marked(.report(.atLeast(4))), .refuse(error: 0x81), .farewell,
        ]
      ),
      RuleExample(
        .error,
        "two of three are written again on the second link, and the third is missing",
        "one-subscription-forgotten",
        [
          .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .bondedArrival,
          .subscribe([.measurement, .context]), .marked(.report(.atLeast(7))), .refuse(error: 0x81), .farewell,
        ]
      ),
      RuleExample(
        .error,
        "all three are written and answered on the link itself",
        "subscriptions-ignored",
        [
          .firstArrival, .marked(.count(.all)), .refuse(error: 0x81), .report(.all), .refuse(error: 0x81), .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "accepted on the second link of the bond",
        "subscriptions-kept",
        [
          .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .bondedArrival,
          .fetchNothing(.atLeast(7)), .farewell,
        ]
      )
    ]
  }

  /// What a bond holds of one configuration: what was written last under it, and the link that wrote it.
  private struct Stored {
    var write: WrittenConfigurations.Write
    var link: Int
  }

  /// A configuration of the service: where it stands, the bit that counts, its name.
  private struct Place: Sendable {
    var write: @Sendable (WrittenConfigurations) -> WrittenConfigurations.Write
    var bit: UInt16
    var name: String
  }

  private static let controlPoint = Place(write: { $0.controlPoint }, bit: 2, name: "control point")
  private static let measurement = Place(write: { $0.measurement }, bit: 1, name: "measurement")
  private static let context = Place(write: { $0.context }, bit: 1, name: "context")

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    var findings: [Finding] = []
    var wasJudged = false
    for links in subject.collectors {
      var stored: [String: Stored] = [:]
      var bond = -1
      for link in links {
        let shown = device.links[link]
        if subject.standings[link].bond != bond || shown.serviceChanged {
          bond = subject.standings[link].bond
          stored = [:]
        }
        let known = shown.security.usedStoredKey ? stored : [:]
        // Of what was written before the encryption nothing tells whether it holds with it.
        let isEncrypted =
          shown.security.wasEncrypted && shown.security.encryptedFrame < shown.configurationFrame
          && !shown.serviceChanged
        var refused: [(place: Int, kept: [Place], error: ATTError)] = []
        for (place, procedure) in shown.procedures.enumerated() {
          if !procedure.asksForSubscription && wasJudged { continue }
          let kept = known.isEmpty ? [] : kept(procedure, shown, known)
          guard !kept.isEmpty || (isEncrypted && procedure.isSubscribed) else { continue }
          wasJudged = true
          if procedure.asksForSubscription, case .refused(let error) = procedure.outcome {
            refused.append((place, kept, error))
          }
        }
        if let first = refused.first {
          var finding = finding(
            DeviceStep(link: link, place: first.place),
            first.kept,
            known,
            first.error,
            device,
            subject
          )
          finding.otherProcedures = refused.dropFirst().map { shown.procedures[$0.place].index }
          for other in refused.dropFirst() { finding.add(frame: shown.procedures[other.place].requestFrame) }
          findings.append(finding)
        }
        guard shown.security.hasBonded || shown.security.usedStoredKey else { continue }
        for place in [Self.controlPoint, Self.measurement, Self.context] {
          let write = place.write(shown.configurations)
          if write != .none { stored[place.name] = Stored(write: write, link: link) }
        }
      }
    }
    return findings.isEmpty ? (wasJudged ? .pass : .notApplicable) : .fail(findings)
  }

  /// What a request needs of the configurations that the bond has kept on; empty where it needs none of them, or one that
  /// is off or not known.
  private func kept(
    _ procedure: DeviceProcedure,
    _ link: DeviceLink,
    _ stored: [String: Stored]
  ) -> [Place] {
    var needed = [Self.controlPoint]
    if procedure.opCode == .report { needed += [Self.measurement] + (link.lacksContext ? [] : [Self.context]) }
    var kept: [Place] = []
    for place in needed {
      var write = place.write(procedure.configurations)
      if write == .none, let known = stored[place.name] {
        write = known.write
        kept.append(place)
      }
      guard case .value(let value) = write, value & place.bit != 0 else { return [] }
    }
    return kept
  }

  private func finding(
    _ step: DeviceStep,
    _ kept: [Place],
    _ stored: [String: Stored],
    _ error: ATTError,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Finding {
    let procedure = device.procedure(step)
    if kept.isEmpty { return ignored(step, error, device, subject) }
    let written = kept.compactMap { stored[$0.name]?.link }.max() ?? step.link
    let first = device.links[written].firstFrame
    let isRewritten = !procedure.configurations.isEmpty
    let names = kept.map(\.name)
    let list = (names.count > 1 ? names.dropLast().joined(separator: ", ") + " and " : "") + (names.last ?? "")
    return device.finding(
      "GATT-006",
      .error,
      .sensor,
      .certain,
      link: step.link,
      step: step,
      frames: [procedure.requestFrame, procedure.answerFrame],
      others: [(written, first)],
      key: hex(procedure.octets),
      message: "\(subject.quoted(step)) refused with \(errorText(error)) although the "
        + (isRewritten
          ? kept.count == 1 ? "CCCD of the \(list) was turned on" : "CCCDs of the \(list) were turned on"
          : "subscriptions were written") + " under the same bond",
      evidence: [
        "\(isRewritten && kept.count == 1 ? "it was" : "they were") written on the link that begins in "
          + device.frameText(first, of: written, from: step.link) + " and not cleared since",
        "this link is encrypted with the key of that bond",
      ] + (isRewritten ? ["what was written again on this link was turned on"] : [])
    )
  }

  /// A refusal although the link itself turned everything on.
  private func ignored(
    _ step: DeviceStep,
    _ error: ATTError,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Finding {
    let procedure = device.procedure(step)
    return device.finding(
      "GATT-006",
      .error,
      .sensor,
      .certain,
      link: step.link,
      step: step,
      frames: [procedure.requestFrame, procedure.answerFrame],
      key: hex(procedure.octets),
      message: "\(subject.quoted(step)) refused with \(errorText(error)) although every CCCD of the service was turned "
        + "on over this link",
      evidence: [
        "each was written and answered before the request, and not turned off since",
        "the link was encrypted when they were written",
      ]
    )
  }
}

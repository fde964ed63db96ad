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
    summary: "the sensor refuses a request for missing subscriptions that were made under the same bond",
    rationale: """
      Configurations of a bonded client persist over links. A sensor that forgets them makes collectors fail that \
      rightly do not write them again.
      """,
    remedy: """
      Store the configurations with the bond and restore them when the link is encrypted. A collector may write them \
      again on each link.
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
    guard device.links.count > 1 else { return .notApplicable }
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
        if shown.security.usedStoredKey, !stored.isEmpty {
          for (place, procedure) in shown.procedures.enumerated() {
            guard let kept = kept(procedure, shown, stored) else { continue }
            wasJudged = true
            guard case .refused(let error) = procedure.outcome, error.rawValue == 0x81 || error.rawValue == 0xFD else {
              continue
            }
            findings.append(finding(DeviceStep(link: link, place: place), kept, stored, error, device, subject))
            break
          }
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

  /// What a request needs of the configurations that the bond has kept on; nil where it needs none of them, or one that
  /// is off or not known.
  private func kept(
    _ procedure: DeviceProcedure,
    _ link: DeviceLink,
    _ stored: [String: Stored]
  ) -> [Place]? {
    var needed = [Self.controlPoint]
    if procedure.opCode == .report { needed += [Self.measurement] + (link.lacksContext ? [] : [Self.context]) }
    var kept: [Place] = []
    for place in needed {
      var write = place.write(procedure.configurations)
      if write == .none, let known = stored[place.name] {
        write = known.write
        kept.append(place)
      }
      guard case .value(let value) = write, value & place.bit != 0 else { return nil }
    }
    return kept.isEmpty ? nil : kept
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
}

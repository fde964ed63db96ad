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
    summary: "the sensor treats a request as if subscriptions made under the same bond or on the link were missing",
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
        "accepted on the second link of the bond, and nothing comes",
        "subscriptions-forgotten-silently",
        [
          .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .bondedArrival,
          .marked(.report(.atLeast(7))), .accept, .wait(milliseconds: 33_000), .farewell,
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
      RuleExample(
        .error,
        "of two services the sensor forgets what was set in one, and that of the other is turned off",
        "forgotten-in-one-service",
        Self.twoServices + [
          .fetch(.all, 1...3), .farewell, .later(minutes: 60), .bondedArrival, .write(.handle(0x0033), [0, 0]), .accept,
          .write(.handle(0x0036), [0, 0]), .accept, .marked(.report(.atLeast(4))), .refuse(error: 0x81), .farewell,
        ]
      ),
    ]
  }

  /// A first link to a sensor with the glucose and the continuous glucose service, with all its subscriptions.
  private static var twoServices: [Step] {
    [
      .arrival, .exchangeMTU(185), .pair(), .askForServices(),
      .tellServices([.init(0x0019, 0x0024, 0x1808), .init(0x0030, 0x0036, 0x181F)]),
      .discoverGlucoseCharacteristicsWithoutContext, .askForCharacteristics(from: 0x0030, to: 0x0036),
      .tellCharacteristics([.init(0x0031, 0x10, 0x2AA7), .init(0x0034, 0x28, 0x2A52)]),
      .subscribe([.measurement, .recordAccess]), .write(.handle(0x0033), [1, 0]), .accept,
      .write(.handle(0x0036), [2, 0]), .accept,
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
      ),
      RuleExample(
        "the count is answered on the second link of the bond, and the report is not",
        "count-answered",
        [
          .firstArrival, .fetch(.all, 1...6), .farewell, .later(minutes: 60), .bondedArrival, .ask(answer: 9),
          .report(.atLeast(7)), .accept, .wait(milliseconds: 33_000), .farewell,
        ]
      ).alongside("RACP-004"),
    ]
  }

  /// What a bond holds of one configuration: what was written last under it, and the link that wrote it.
  private struct Stored {
    var role: AttributeRole
    var characteristic: UInt16
    var write: WrittenConfigurations.Write
    var link: Int
  }

  /// A configuration that a request needs: where it stands, the bit that counts, its name.
  private struct Place {
    var role: AttributeRole
    var members: ClosedRange<UInt16>
    var bit: UInt16
    var name: String

    /// What is stored of it: nothing, or what all that it may be have in common.
    func stored(_ all: [Stored]) -> Stored? {
      var found: Stored?
      for known in all where known.role == role && members.contains(known.characteristic) {
        if let before = found, before.write != known.write {
          found?.write = .doubtful
        } else {
          found = known
        }
      }
      return found
    }
  }

  /// The configurations that a request needs; nil where the capture does not tell all of them.
  private static func needs(_ procedure: DeviceProcedure, _ link: DeviceLink) -> [Place]? {
    let controlPoint = procedure.controlPoint...procedure.controlPoint
    var needed = [Place(role: .recordAccess, members: controlPoint, bit: 2, name: "control point")]
    guard procedure.opCode == .report else { return needed }
    let members = procedure.members
    switch procedure.source {
    case .glucose, .unknown:
      needed.append(Place(role: .glucoseMeasurement, members: members, bit: 1, name: "measurement"))
      if !link.lacksContext { needed.append(Place(role: .glucoseContext, members: members, bit: 1, name: "context")) }
    case .continuousGlucose:
      needed.append(Place(role: .otherRecords, members: members, bit: 1, name: "measurement"))
    // What others need beside the control point is not told by the profile they belong to.
    case .other: return nil
    }
    return needed
  }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    var findings: [Finding] = []
    var wasJudged = false
    for links in subject.collectors {
      var stored: [Stored] = []
      var bond = -1
      for link in links {
        let shown = device.links[link]
        if subject.standings[link].bond != bond || shown.serviceChanged {
          bond = subject.standings[link].bond
          stored = []
        }
        let known = shown.security.usedStoredKey ? stored : []
        // Of what was written before the encryption nothing tells whether it holds with it.
        let isEncrypted =
          shown.security.wasEncrypted && shown.security.encryptedFrame < shown.configurationFrame
          && !shown.serviceChanged
        var refused: [(place: Int, kept: [(place: Place, link: Int)], error: ATTError)] = []
        var silent: [(place: Int, kept: [(place: Place, link: Int)])] = []
        // What comes over a subscription shows that it is held.
        let isSilent =
          shown.strays.count == 0 && shown.procedures.allSatisfy { $0.resultFrame == 0 || !$0.configurations.isEmpty }
        for (place, procedure) in shown.procedures.enumerated() {
          let deliversNothing = isSilent && Self.deliversNothing(procedure)
          if !procedure.asksForSubscription && !deliversNothing && wasJudged { continue }
          let kept = known.isEmpty ? [] : kept(procedure, shown, known)
          guard !kept.isEmpty || (isEncrypted && procedure.isSubscribed) else { continue }
          wasJudged = true
          if procedure.asksForSubscription, case .refused(let error) = procedure.outcome {
            refused.append((place, kept, error))
          } else if deliversNothing, kept.contains(where: { $0.place.role == .recordAccess }),
            kept.contains(where: { $0.place.role != .recordAccess && $0.place.role != .glucoseContext })
          {
            silent.append((place, kept))
          }
        }
        if let first = refused.first {
          var finding = finding(
            DeviceStep(link: link, place: first.place),
            first.kept,
            first.error,
            device,
            subject
          )
          finding.otherProcedures = refused.dropFirst().map { shown.procedures[$0.place].index }
          for other in refused.dropFirst() { finding.add(frame: shown.procedures[other.place].requestFrame) }
          findings.append(finding)
        }
        if refused.isEmpty, let first = silent.first {
          var finding = silence(DeviceStep(link: link, place: first.place), first.kept, device, subject)
          finding.otherProcedures = silent.dropFirst().map { shown.procedures[$0.place].index }
          for other in silent.dropFirst() { finding.add(frame: shown.procedures[other.place].requestFrame) }
          findings.append(finding)
        }
        guard shown.security.hasBonded || shown.security.usedStoredKey else { continue }
        if shown.configurations.isUnplaced { stored = [] }
        for written in shown.configurations.configurations {
          stored.removeAll { $0.role == written.role && $0.characteristic == written.characteristic }
          stored.append(
            Stored(role: written.role, characteristic: written.characteristic, write: written.write, link: link)
          )
        }
      }
    }
    return findings.isEmpty ? (wasJudged ? .pass : .notApplicable) : .fail(findings)
  }

  /// True for a report that the sensor accepted and left without a record and without a result.
  private static func deliversNothing(_ procedure: DeviceProcedure) -> Bool {
    procedure.opCode == .report && procedure.outcome == .unanswered && procedure.answerFrame != 0
      && procedure.records == 0 && !procedure.isMixed && !procedure.mayBeHeldUp
  }

  /// What a request needs of the configurations that the bond has kept on; empty where it needs none of them, or one that
  /// is off or not known.
  private func kept(
    _ procedure: DeviceProcedure,
    _ link: DeviceLink,
    _ stored: [Stored]
  ) -> [(place: Place, link: Int)] {
    guard let needed = Self.needs(procedure, link) else { return [] }
    var kept: [(place: Place, link: Int)] = []
    for place in needed {
      var write = procedure.configurations.write(to: place.role, within: place.members)
      if write == .none, let known = place.stored(stored) {
        write = known.write
        kept.append((place, known.link))
      }
      guard case .value(let value) = write, value & place.bit != 0 else { return [] }
    }
    return kept
  }

  private func finding(
    _ step: DeviceStep,
    _ kept: [(place: Place, link: Int)],
    _ error: ATTError,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Finding {
    let procedure = device.procedure(step)
    if kept.isEmpty { return ignored(step, error, device, subject) }
    let written = kept.map(\.link).max() ?? step.link
    let first = device.links[written].firstFrame
    let isRewritten = !procedure.configurations.isEmpty
    let names = kept.map(\.place.name)
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
      message: "\(subject.quoted(step)) refused with \(refusalText(error)) although the "
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

  /// A report that brought nothing although the bond has kept what it needs.
  private func silence(
    _ step: DeviceStep,
    _ kept: [(place: Place, link: Int)],
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Finding {
    let procedure = device.procedure(step)
    let written = kept.map(\.link).max() ?? step.link
    let first = device.links[written].firstFrame
    return device.finding(
      "GATT-006",
      .error,
      .sensor,
      .likely,
      link: step.link,
      step: step,
      frames: [procedure.requestFrame, procedure.answerFrame],
      others: [(written, first)],
      key: hex(procedure.octets),
      message: "\(subject.quoted(step)) accepted, and nothing came of it in 30 s, although the subscriptions were "
        + "written under the same bond",
      evidence: [
        "they were written on the link that begins in \(device.frameText(first, of: written, from: step.link)) "
          + "and not cleared since",
        "this link is encrypted with the key of that bond, and the sensor sent neither a record nor a result over it",
      ]
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
      message: "\(subject.quoted(step)) refused with \(refusalText(error)) although every CCCD of the service "
        + "was turned on over this link",
      evidence: [
        "each was written and answered before the request, and not turned off since",
        "the link was encrypted when they were written",
      ]
    )
  }
}

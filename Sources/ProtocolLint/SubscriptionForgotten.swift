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

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    guard device.links.count > 1 else { return .notApplicable }
    var findings: [Finding] = []
    var wasJudged = false
    for links in subject.collectors {
      var written: (measurement: Int, context: Int, controlPoint: Int)?
      var values: (measurement: UInt16, context: UInt16, controlPoint: UInt16) = (0, 0, 0)
      var bond = -1
      for link in links {
        let shown = device.links[link]
        if subject.standings[link].bond != bond || shown.serviceChanged {
          bond = subject.standings[link].bond
          written = nil
          values = (0, 0, 0)
        }
        if let written, shown.security.usedStoredKey, !shown.touchesConfigurations, !shown.procedures.isEmpty {
          wasJudged = true
          for (place, procedure) in shown.procedures.enumerated() {
            guard case .refused(let error) = procedure.outcome, error.rawValue == 0x81 || error.rawValue == 0xFD else {
              continue
            }
            let isReport = procedure.opCode == .report
            guard values.controlPoint & 2 != 0, !isReport || values.measurement & 1 != 0,
              !isReport || values.context & 1 != 0 || shown.lacksContext
            else { continue }
            findings.append(finding(DeviceStep(link: link, place: place), written.controlPoint, error, device, subject))
            break
          }
        }
        let isWritten = shown.measurementConfiguration != nil || shown.controlPointConfiguration != nil
        if isWritten, shown.security.hasBonded || shown.security.usedStoredKey {
          values.measurement = shown.measurementConfiguration ?? values.measurement
          values.context = shown.contextConfiguration ?? values.context
          values.controlPoint = shown.controlPointConfiguration ?? values.controlPoint
          written = (link, link, link)
        }
      }
    }
    return findings.isEmpty ? (wasJudged ? .pass : .notApplicable) : .fail(findings)
  }

  private func finding(
    _ step: DeviceStep,
    _ written: Int,
    _ error: ATTError,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Finding {
    let procedure = device.procedure(step)
    let first = device.links[written].firstFrame
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
      message: "\(subject.quoted(step)) refused with \(errorText(error)) although the subscriptions were written under "
        + "the same bond",
      evidence: [
        "they were written on the link that begins in " + device.frameText(first, of: written, from: step.link)
          + " and not cleared since",
        "this link is encrypted with the key of that bond",
      ]
    )
  }
}

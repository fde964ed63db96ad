import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-013: what the sensor does not support is asked for again.
public struct RefusedFeatureRetried: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-013",
    name: "refused-feature-retried",
    summary: "a request that the sensor does not support is sent again unchanged",
    rationale: """
      "Not supported" does not change under way. A collector that tries each time never finds the request that works.
      """,
    remedy: """
      Remember the answer with the bond and fall back: Report all, or greater than or equal with a sequence number, \
      which each sensor has to support.
      """,
    clause: "good practice: an answer is remembered",
    needs: [.bothDirections, .noLoss, .whole, .identity]
  )

  private static let refused: [Step] = [.result(.report, .operatorNotSupported), .confirm]

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "a range on each link",
        "range-retried",
        [.firstArrival, .report(.within(1, 6)), .accept] + Self.refused + [
          .farewell, .later(minutes: 60), .bondedArrival, .marked(.report(.within(1, 6))), .accept,
        ] + Self.refused + [.fetch(.all, 1...6), .farewell]
      ).alongside("APP-009")
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "after the refusal another request",
        "range-given-up",
        [.firstArrival, .report(.within(1, 6)), .accept] + Self.refused + [.fetch(.all, 1...6), .farewell]
      )
    ]
  }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    var findings: [Finding] = []
    var wasJudged = false
    for series in subject.series {
      var refused: [(octets: [UInt8], step: DeviceStep, bond: Int)] = []
      var told: Set<[UInt8]> = []
      for step in series.steps {
        let procedure = device.procedure(step)
        let bond = subject.standings[step.link].bond
        if let before = refused.first(where: { $0.octets == procedure.octets && $0.bond == bond }) {
          if told.insert(procedure.octets).inserted { findings.append(finding(step, before.step, device, subject)) }
        }
        guard case .failed(let value) = procedure.outcome, subject.request(step).isWellFormed,
          [.opCodeNotSupported, .operatorNotSupported, .operandNotSupported].contains(value), refused.count < 64
        else { continue }
        wasJudged = true
        refused.append((procedure.octets, step, bond))
      }
    }
    return findings.isEmpty ? (wasJudged ? .pass : .notApplicable) : .fail(findings)
  }

  private func finding(
    _ step: DeviceStep,
    _ before: DeviceStep,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Finding {
    let refused = device.procedure(before)
    return device.finding(
      "RACP-013",
      .note,
      .collector,
      .certain,
      link: step.link,
      step: step,
      frames: [device.procedure(step).requestFrame],
      others: [(before.link, refused.requestFrame), (before.link, refused.resultFrame)],
      key: hex(refused.octets),
      message: "\(subject.quoted(step)) again, which the sensor does not support, as it had said in "
        + device.frameText(refused.resultFrame, of: before.link, from: step.link),
      evidence: ["first asked in " + device.frameText(refused.requestFrame, of: before.link, from: step.link)]
    )
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// APP-008: after a report that broke off, everything is asked for again.
public struct RestartNotResume: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "APP-008",
    name: "restart-not-resume",
    summary: "after a report that broke off the collector asks for everything again instead of the rest",
    rationale: """
      On a poor link a long history then never comes over: each attempt begins at the first record and breaks off \
      before the last.
      """,
    remedy: """
      Keep what came, and ask on the next link from the highest number that came + 1.
      """,
    clause: "GLP 4.7.5.1 (C14)",
    needs: [.bothDirections, .noLoss, .whole, .start, .identity]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "everything again after a lost link",
        "restarted-after-loss",
        [
          .firstArrival, .report(.all), .accept, .records(1...24), .wait(milliseconds: 2000), .linkLoss,
          .later(minutes: 1), .bondedArrival, .marked(.report(.all)), .accept, .records(1...30),
          .result(.report, .success), .confirm, .farewell,
        ]
      ).alongside("CONN-004")
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the rest after a lost link",
        "resumed-at-the-break",
        [
          .firstArrival, .report(.all), .accept, .records(1...24), .wait(milliseconds: 2000), .linkLoss,
          .later(minutes: 1), .bondedArrival, .fetch(.atLeast(25), 25...30), .farewell,
        ]
      ).alongside("CONN-004")
    ]
  }

  /// Fewer records are soon sent again.
  private static let least: UInt32 = 20

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    var findings: [Finding] = []
    var wasJudged = false
    for series in subject.numbered {
      var broken: DeviceStep?
      var bond = -1
      var restarts = 0
      for step in series.steps {
        let isNewBond = subject.standings[step.link].bond != bond
        if isNewBond || subject.restarts(by: step, device) != restarts {
          bond = subject.standings[step.link].bond
          restarts = subject.restarts(by: step, device)
          broken = nil
        }
        let procedure = device.procedure(step)
        guard procedure.opCode == .report, !procedure.isRefused else { continue }
        if let before = broken {
          wasJudged = true
          let isSame =
            subject.request(step).selection == .all
            || subject.request(step).octets == subject.request(before).octets
          let isLong = device.procedure(before).records >= Self.least
          if isSame && isLong && findings.count < 16 { findings.append(finding(step, before, device, subject)) }
        }
        let isPart = procedure.isBrokenOff && procedure.records > 0 && !procedure.isMixed
        broken = isPart && subject.start(step) != nil ? step : nil
      }
    }
    if !findings.isEmpty { return .fail(findings) }
    return subject.outcome(wasJudged: wasJudged) { $0.hasResumption(device) }
  }

  private func finding(
    _ step: DeviceStep,
    _ broken: DeviceStep,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Finding {
    let before = device.procedure(broken)
    return device.finding(
      "APP-008",
      .note,
      .collector,
      .certain,
      link: step.link,
      step: step,
      frames: [device.procedure(step).requestFrame],
      others: [(broken.link, before.requestFrame), (broken.link, before.lastRecordFrame)],
      key: hex(subject.request(step).octets),
      message: "\(subject.quoted(step)) after \(subject.quoted(broken)) had broken off with "
        + "\(countText(Int(before.records), "record")): it could have gone on from number \((before.sequences.maximum ?? 0) + 1)",
      evidence: [
        "\(subject.quoted(broken)) in " + device.frameText(before.requestFrame, of: broken.link, from: step.link)
          + " ended without success"
      ]
    )
  }
}

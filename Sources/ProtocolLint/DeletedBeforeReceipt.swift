import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-019: records are deleted that the collector has not received.
public struct DeletedBeforeReceipt: DeviceRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-019",
    name: "delete-before-receipt",
    summary: "the collector deletes stored records that it has not received",
    rationale: """
      What is deleted on the meter is gone for every collector. A report that broke off gives no right to delete: the \
      rest of its records existed nowhere else.
      """,
    remedy: """
      Delete only after a report of the same records has ended with success and what came has been stored durably; \
      better do not delete at all.
      """,
    clause: "GLP 4.7.5.1 (C14)",
    needs: [.bothDirections, .noLoss, .whole, .start, .identity],
    hole: """
      Where the logger missed the last record before a report broke off, a collector that deletes up to it seems to \
      delete what it has not received: a finding about a single number is a warning, and only likely.
      """,
    explains: ["APP-009"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "everything is deleted after an aborted report",
        "deleted-after-abort",
        [
          .firstArrival, .report(.all), .accept, .records(1...8), .abort, .accept, .result(.abort, .success), .confirm,
          .marked(.delete(.all)), .accept, .result(.delete, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "everything is deleted without having been fetched",
        "deleted-unfetched",
        [
          .firstArrival, .ask(answer: 30), .marked(.delete(.all)), .accept, .result(.delete, .success), .confirm,
          .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "deleted after a report with success",
        "deleted-after-success",
        [
          .firstArrival, .fetch(.all, 1...6), .delete(.all), .accept, .result(.delete, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        "only what came is deleted",
        "deleted-what-came",
        [
          .firstArrival, .report(.all), .accept, .records(1...8), .abort, .accept, .result(.abort, .success), .confirm,
          .delete(.atMost(8)), .accept, .result(.delete, .success), .confirm, .farewell,
        ]
      ),
    ]
  }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    let hasDelete = device.links.indices.contains { link in
      device.links[link].procedures.contains { $0.opCode == .delete && $0.dialect == .health }
    }
    guard hasDelete else { return .notApplicable }
    var findings: [Finding] = []
    var wasJudged = false
    var doubt: String?
    for collector in subject.collectors.indices {
      let steps = subject.steps(collector, device)
      for (position, step) in steps.enumerated() where device.procedure(step).opCode == .delete {
        guard case .success = device.procedure(step).outcome, let range = range(step, subject) else { continue }
        switch verdict(step, range, steps[..<position], device, subject) {
        case .fail(let found): findings += found
        case .inconclusive(let reason): doubt = reason
        default: wasJudged = true
        }
      }
    }
    if !findings.isEmpty { return .fail(findings) }
    if let doubt { return .inconclusive(doubt) }
    return wasJudged ? .pass : .notApplicable
  }

  /// The numbers a request is about; nil where it names none.
  private func range(_ step: DeviceStep, _ subject: borrowing DeviceSubject) -> ClosedRange<UInt32>? {
    switch subject.request(step).selection {
    case .all: 0...65_535
    case .atLeast(let minimum): minimum...max(minimum, 65_535)
    case .atMost(let maximum): 0...maximum
    case .within(let minimum, let maximum) where minimum <= maximum: minimum...maximum
    default: nil
    }
  }

  private func verdict(
    _ step: DeviceStep,
    _ deleted: ClosedRange<UInt32>,
    _ earlier: ArraySlice<DeviceStep>,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> RuleOutcome {
    let standing = subject.standings[step.link]
    var latest: DeviceStep?
    for other in earlier.reversed() where subject.standings[other.link].era == standing.era {
      let procedure = device.procedure(other)
      guard procedure.opCode == .report, !procedure.isRefused, let asked = range(other, subject),
        asked.overlaps(deleted)
      else { continue }
      latest = other
      break
    }
    guard let latest else {
      guard standing.isPaired else {
        return .inconclusive("what the collector had received before is not in the capture")
      }
      return .fail([finding(step, nil, device, subject)])
    }
    let report = device.procedure(latest)
    if report.isMixed || report.isUnseen {
      return .inconclusive("the capture does not show how the report of the deleted records came out")
    }
    guard report.isBrokenOff else { return .pass }
    // The oldest come first: up to the last one nothing is missing.
    let highest = report.sequences.maximum
    if let highest, deleted.upperBound <= highest { return .pass }
    let isOne = highest.map { deleted.upperBound == $0 + 1 } ?? false
    return .fail([finding(step, latest, isOne: isOne, device, subject)])
  }

  private func finding(
    _ step: DeviceStep,
    _ report: DeviceStep?,
    isOne: Bool = false,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Finding {
    let procedure = device.procedure(step)
    // Where it deletes up to the record after the last one that is there, the logger may have missed that one.
    let isCertain = report != nil && subject.standings[step.link].isPaired && !isOne
    let before = report.map { device.procedure($0) }
    var message = "\(subject.quoted(step)) succeeded"
    var evidence: [String] = []
    var others: [(link: Int, frame: UInt32)] = []
    if let report, let before {
      message += " although \(subject.quoted(report)) had broken off"
      message += before.sequences.maximum.map { " after number \($0)" } ?? " before any record"
      message += ": the rest can never be fetched"
      evidence.append(
        "\(subject.quoted(report)) in " + device.frameText(before.requestFrame, of: report.link, from: step.link)
          + " ended without success after \(countText(Int(before.records), "record"))"
      )
      others = [(report.link, before.requestFrame), (report.link, before.lastRecordFrame)]
    } else {
      message += " in frame \(procedure.resultFrame), and no report of these records is in the capture"
    }
    evidence.append(
      subject.standings[step.link].isPaired
        ? "the pairing is in the capture: nothing was fetched before it"
        : "the pairing is not in the capture: records may have been fetched before it"
    )
    return device.finding(
      "RACP-019",
      isCertain ? .error : .warning,
      .collector,
      isCertain ? .certain : .likely,
      link: step.link,
      step: step,
      frames: [procedure.requestFrame, procedure.resultFrame],
      others: others,
      key: hex(subject.request(step).octets),
      message: message,
      evidence: evidence
    )
  }
}

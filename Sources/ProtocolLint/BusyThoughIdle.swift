import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-003: the sensor refuses a request as busy while nothing is running.
public struct BusyThoughIdle: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-003",
    name: "busy-though-idle",
    summary: "the sensor refuses a request with \"procedure already in progress\" while no procedure is running",
    rationale: """
      A sensor that does not reset its state after a result, an abort or a lost link refuses everything from then on. \
      The app retries or gives up, and the records stay on the meter until its battery is taken out.
      """,
    remedy: """
      Sensor: be ready for the next request once the result has been confirmed, also after an error result and an \
      abort, and forget a procedure when its link is lost.
      """,
    clause: "GLS 1.7, GLS 3.4.4 (S27)",
    needs: [.bothDirections, .noLoss, .start]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "a report is refused half a second after the one before was over",
        "refused-after-report",
        [
          .firstArrival, .fetch(.all, 1...6), .wait(milliseconds: 500), .report(.atLeast(7)),
          .marked(.refuse(error: 0x80)), .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "refused while a report is running",
        "refused-while-running",
        [
          .firstArrival, .report(.all), .accept, .records(1...3), .report(.all), .refuse(error: 0x80), .records(4...6),
          .result(.report, .success), .confirm, .farewell,
        ]
      ).alongside("RACP-001")
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard !history.procedures.isEmpty else { return .notApplicable }
    var idle: [Int] = []
    for index in history.procedures.indices {
      guard case .refused(let error) = history.procedures[index].outcome,
        error.rawValue == 0xFE || (error.rawValue == 0x80 && subject.isGlucose)
      else { continue }
      let isBusy = history.procedures[index].overlaps != nil || subject.standings[index].followsUnfinished
      if !isBusy && !isUnconfirmed(before: index, history, subject) { idle.append(index) }
    }
    if idle.isEmpty { return .pass }
    // The store is one for all collectors (GLS 3.4.3): what another one's link shows is not looked at here.
    if history.sensor == .local && history.runsBesideAnother {
      return .inconclusive("another collector was connected to the sensor at the same time")
    }
    return .fail(
      RequestCase.grouped(idle, subject).map { found in
        let index = found.procedures[0]
        let procedure = history.procedures[index]
        let earlier = subject.surroundings[index].lastResult.map { history.procedures[$0] }
        let since = earlier.map {
          "\(durationText(procedure.startTime - $0.endTime)) after the result of the one before"
        }
        return found.finding(
          "RACP-003",
          .warning,
          .sensor,
          .likely,
          message:
            "refused \(subject.quoted(index)) with "
            + "\(refusalText(history.errorCode(procedure.answer ?? 0), isGlucose: subject.isGlucose)) although nothing was "
            + "running" + (since.map { ", " + $0 } ?? " since the link began"),
          evidence: [
            "no accepted request of this link is without its result; another collector may keep the sensor busy"
          ],
          history
        ) { $0.answer ?? $0.request }
      }
    )
  }

  /// True where the collector sent the request before it had confirmed the result of an earlier one.
  private func isUnconfirmed(
    before index: Int,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Bool {
    guard let earlier = subject.surroundings[index].lastResult else { return false }
    return (history.procedures[earlier].confirmation ?? .max) > history.procedures[index].request
  }
}

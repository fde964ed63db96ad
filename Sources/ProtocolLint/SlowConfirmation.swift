import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// EFF-006: an indication is confirmed late.
public struct SlowConfirmation: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "EFF-006",
    name: "slow-confirmation",
    summary: "an indication is confirmed after more than a second",
    rationale: """
      The sensor may not indicate again, nor take the procedure for finished, before the confirmation. Thirty seconds \
      end the link; on the way there it only waits.
      """,
    remedy: """
      Collector: confirm first, then store and show. Most stacks confirm by themselves unless the app holds them up.
      """,
    clause: "good practice: confirm at once",
    needs: [.bothDirections, .noLoss, .steadyClock]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "the result is confirmed after three seconds",
        "three-seconds",
        [
          .firstArrival, .report(.all), .accept, .records(1...3), .marked(.result(.report, .success)),
          .wait(milliseconds: 3000), .confirm, .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "it is confirmed at once",
        "at-once",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard subject.isHealth, history.handles.contains(where: { $0.indications > 0 }) else { return .notApplicable }
    guard let sensor = subject.sensor else { return .notApplicable }
    let slow = subject.exchanges.slowlyConfirmed.filter { index in
      let pdu = history.pdus[Int(index)]
      // What is not confirmed for 30 s is another rule's.
      return pdu.server == sensor && history.time(pdu.partner) - pdu.time < AttributeExchanges.timeout
    }
    guard let first = slow.first else { return .pass }
    let pdu = history.pdus[Int(first)]
    let longest = slow.map { history.time(history.pdus[Int($0)].partner) - history.time($0) }.max() ?? 0
    return .fail([
      Finding(
        "EFF-006",
        .note,
        .collector,
        .certain,
        link: history.number,
        procedure: history.procedures.firstIndex { $0.result == first },
        frames: slow.map { history.frame($0) } + [history.frame(pdu.partner)],
        time: pdu.time,
        key: "slow",
        message: "confirmed \(countText(slow.count, "indication")) of the \(history.attributeName(pdu)) late, after up "
          + "to \(durationText(longest))",
        evidence: ["indication in frame \(pdu.frame), confirmation in frame \(history.frame(pdu.partner))"]
      )
    ])
  }
}

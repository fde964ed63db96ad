import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// GATT-009: a second request or indication while one is open, or after one has timed out.
public struct AttributeOutOfTurn: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "GATT-009",
    name: "attribute-out-of-turn",
    summary: "one side sends a request or indication before the one before it is completed, or after its time-out",
    rationale: """
      ATT allows one open request and one open indication a side. What is sent out of turn may be dropped or answered \
      as if it were the other one, and each stack fails in its own way.
      """,
    remedy: """
      Send the next request when the response has come, the next indication when the confirmation has come; after \
      30 s without either give the bearer up and connect anew.
      """,
    clause: "Core Vol 3 Part F, transaction rules; GLS 3.4.5 (S29)",
    needs: [.bothDirections, .noLoss, .whole, .start],
    hole: """
      An answer that the logger missed makes two requests overlap. As long as one of them stays \
      without an answer the rule does not judge, unless the next one comes after 30 s: that finding is only likely.
      """
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "the collector writes twice without waiting",
        "two-writes",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .write(.measurementConfiguration, [1, 0]),
          .marked(.write(.contextConfiguration, [1, 0])), .accept, .accept, .subscribe([.recordAccess]),
          .fetch(.all, 1...6), .farewell,
        ]
      ),
      RuleExample(
        .error,
        "the sensor indicates twice without waiting",
        "two-indications",
        [
          .firstArrival, .attribute(from: .sensor, [0x1D, 0x2A, 0x00, 0x01]),
          .marked(.attribute(from: .sensor, [0x1D, 0x2A, 0x00, 0x02])), .confirm, .confirm, .fetch(.all, 1...6),
          .farewell,
        ]
      ),
      RuleExample(
        .error,
        "the collector goes on after a read that was not answered in 33 s",
        "on-after-timeout",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .attribute(from: .collector, [0x0A, 0x21, 0x00]),
          .wait(milliseconds: 33_000), .marked(.write(.measurementConfiguration, [1, 0])), .accept,
          .subscribe([.context, .recordAccess]), .fetch(.all, 1...6), .farewell,
        ]
      ).alongside("GATT-015"),
      RuleExample(
        .error,
        "the sensor goes on after a confirmation that took 40 s",
        "on-after-late-confirmation",
        [
          .firstArrival, .count(.all), .accept, .counted(6), .wait(milliseconds: 40_000), .confirm, .report(.all),
          .accept, .marked(.record(1)), .records(2...6), .result(.report, .success), .confirm, .farewell,
        ]
      ).alongside("GATT-008"),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "each request waits for its response",
        "in-turn",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      ),
      RuleExample(
        "the collector confirms while its own request is open",
        "other-side",
        [
          .firstArrival, .ask(answer: 6), .report(.all), .accept, .records(1...6), .result(.report, .success),
          .attribute(from: .collector, [0x0A, 0x03, 0x00]), .confirm, .attribute(from: .sensor, [0x0B, 0x47, 0x4D]),
          .farewell,
        ]
      ),
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard !history.pdus.isEmpty, subject.isHealth else { return .notApplicable }
    var findings: [Finding] = []
    let isSteady = subject.facts.contains(.steadyClock)
    for isReceived in [false, true] {
      let wrong = subject.exchanges.outOfTurn.filter { history.pdus[Int($0.later)].isReceived == isReceived }
      let late = subject.exchanges.afterTimeout.filter { history.pdus[Int($0.later)].isReceived == isReceived }
      if let first = wrong.first { findings.append(finding(first, wrong, "open", history, subject)) }
      if let first = late.first, isSteady { findings.append(finding(first, late, "timed out", history, subject)) }
    }
    if !findings.isEmpty { return .fail(findings) }
    if !isSteady && !subject.exchanges.afterTimeout.isEmpty { return .inconclusive(VisibilityFacts.steadyClock.reason) }
    return subject.exchanges.hasDoubtfulTurns
      ? .inconclusive("a request or indication follows one whose answer is not in the capture") : .pass
  }

  private func finding(
    _ first: AttributeExchanges.Pair,
    _ all: [AttributeExchanges.Pair],
    _ state: String,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let later = history.pdus[Int(first.later)]
    let earlier = history.pdus[Int(first.earlier)]
    // What is never answered rests on nothing being there, unless the bearer stays dead.
    let isSeen = state == "open" || earlier.partner != AttributePDU.none || later.partner == AttributePDU.none
    return Finding(
      "GATT-009",
      .error,
      subject.fault(of: later.isReceived ? .remote : .local),
      isSeen && later.opcode.role != .command ? .certain : .likely,
      link: history.number,
      frames: all.map { history.frame($0.later) } + [earlier.frame],
      time: later.time,
      key: "\(state) \(later.opcode.name)",
      message: "\(later.opcode.name.lowercased()) on the \(history.attributeName(later)) sent "
        + "\(durationText(later.time - earlier.time)) after \(article(earlier.opcode.name)) \(earlier.opcode.name.lowercased()) that was "
        + (state == "open"
          ? "still open" : earlier.partner == AttributePDU.none ? "never completed" : "completed too late")
        + (all.count > 1 ? ", \(timesText(all.count))" : ""),
      evidence: [
        "\(earlier.opcode.name) in frame \(earlier.frame), "
          + (earlier.partner == AttributePDU.none
            ? "never completed" : "completed in frame \(history.frame(earlier.partner))"),
        "\(later.opcode.name) in frame \(later.frame)",
      ]
    )
  }
}

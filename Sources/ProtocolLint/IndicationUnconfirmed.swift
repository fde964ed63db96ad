import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// GATT-008: an indication is not confirmed within 30 s.
public struct IndicationUnconfirmed: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "GATT-008",
    name: "indication-unconfirmed",
    summary: "an indication is not confirmed, or not within 30 s, although the link is up",
    rationale: """
      Until the confirmation comes no other indication may be sent, and after 30 s nothing at all: the sensor stops \
      its procedure and the link is useless until it is built up anew.
      """,
    remedy: """
      Let the host stack confirm each indication at once, before the value is worked on, on both sides; a program that \
      ends must close the link with it.
      """,
    clause: "GLS 3.4.5 (S29); Core Vol 3 Part F, transaction rules",
    needs: [.bothDirections, .noLoss, .steadyClock],
    hole: """
      A confirmation that the logger missed looks like one that was never sent, where no other \
      indication follows it on the link.
      """,
    explains: ["APP-003"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "the result is never confirmed",
        "never-confirmed",
        [
          .firstArrival, .report(.all), .accept, .records(1...6), .marked(.result(.report, .success)),
          .wait(milliseconds: 35_000), .disconnect(),
        ]
      ),
      RuleExample(
        .error,
        "the result is confirmed after 40 s",
        "confirmed-too-late",
        [
          .firstArrival, .report(.all), .accept, .records(1...6), .marked(.result(.report, .success)),
          .wait(milliseconds: 40_000), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "the collector leaves four seconds after a result it did not confirm",
        "left-unconfirmed",
        [
          .firstArrival, .report(.all), .accept, .records(1...6), .marked(.result(.report, .success)),
          .wait(milliseconds: 4000), .disconnect(),
        ]
      ),
      RuleExample(
        .error,
        "the sensor does not confirm that the collector's own table has changed",
        "sensor-does-not-confirm",
        [
          .firstArrival, .fetch(.all, 1...6),
          .marked(.attribute(from: .collector, [0x1D, 0x08, 0x00, 0x01, 0x00, 0xFF, 0xFF])),
          .wait(milliseconds: 35_000), .disconnect(),
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the result is confirmed",
        "confirmed",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      ),
      RuleExample(
        "the confirmation takes ten seconds",
        "confirmed-late",
        [
          .firstArrival, .report(.all), .accept, .records(1...6), .result(.report, .success),
          .wait(milliseconds: 10_000), .confirm, .farewell,
        ]
      ).alongside("EFF-006"),
    ]
  }

  /// The time-out and a second for the logger. Microseconds.
  private static let limit = AttributeExchanges.timeout + 1_000_000

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard history.handles.contains(where: { $0.indications > 0 }) else { return .notApplicable }
    var reason: String?
    var findings: [Finding] = []
    for index in subject.exchanges.unconfirmed {
      let pdu = history.pdus[Int(index)]
      if subject.exchanges.outOfTurn.contains(where: { $0.earlier == index }) { continue }
      if subject.exchanges.overtaken.contains(index) {
        reason = "another indication follows, so the confirmation may be missing from the capture"
        continue
      }
      let waited = subject.watchedUntil - pdu.time
      if subject.hidesPDUs {
        reason = "the logger cut packets so short that a confirmation may be among them"
      } else if waited >= Self.limit {
        findings.append(finding(index, waited, .error, history, subject))
      } else if waited >= history.crossing, let sensor = subject.sensor,
        subject.departure.by == (pdu.server == sensor ? .collector : .sensor)
      {
        findings.append(finding(index, waited, .warning, history, subject))
      } else {
        reason = "the capture or the link ends \(durationText(waited)) after an indication"
      }
    }
    for index in subject.exchanges.confirmedLate { findings.append(late(index, history, subject)) }
    if findings.isEmpty { return reason.map { .inconclusive($0) } ?? .pass }
    return .fail(joined(findings))
  }

  private func finding(
    _ index: UInt32,
    _ waited: Int64,
    _ level: FindingLevel,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let pdu = history.pdus[Int(index)]
    let procedure = history.procedures.firstIndex { $0.result == index }
    let value = hex(history.value(pdu).copied().prefix(20))
    return Finding(
      "GATT-008",
      level,
      subject.fault(of: pdu.server.other),
      level == .error ? .certain : .likely,
      link: history.number,
      procedure: procedure,
      frames: level == .error ? [pdu.frame] : [pdu.frame, subject.departure.frame],
      time: pdu.time,
      key: value,
      message:
        "the indication \(value.uppercased()) of the \(history.attributeName(pdu)) was not confirmed in \(durationText(waited))"
        + (level == .error ? "" : ", then the side that owed it ended the link"),
      evidence: [
        "indication in frame \(pdu.frame); no confirmation follows", "the link was up for \(durationText(waited))",
      ]
    )
  }

  /// One finding for each side that does not confirm, about the gravest case.
  private func joined(_ findings: [Finding]) -> [Finding] {
    var joined: [(finding: Finding, further: Int)] = []
    for finding in findings.sorted(by: { $0.level == $1.level ? $0.time < $1.time : $0.level > $1.level }) {
      guard let known = joined.firstIndex(where: { $0.finding.fault == finding.fault }) else {
        joined.append((finding, 0))
        continue
      }
      joined[known].further += 1
      joined[known].finding.otherProcedures += finding.otherProcedures + (finding.procedure.map { [$0] } ?? [])
      if let frame = finding.frames.first { joined[known].finding.add(frame: frame) }
    }
    return joined.map { finding, further in
      var finding = finding
      if further > 0 { finding.message += "; likewise \(countText(further, "further indication"))" }
      return finding
    }
  }

  /// A confirmation after the time-out is as good as none (Core Vol 3 Part F 3.3.3).
  private func late(_ index: UInt32, _ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> Finding {
    let pdu = history.pdus[Int(index)]
    let value = hex(history.value(pdu).copied().prefix(20))
    return Finding(
      "GATT-008",
      .error,
      subject.fault(of: pdu.server.other),
      .certain,
      link: history.number,
      procedure: history.procedures.firstIndex { $0.result == index },
      frames: [pdu.frame, history.frame(pdu.partner)],
      time: pdu.time,
      key: value,
      message: "the indication \(value.uppercased()) of the \(history.attributeName(pdu)) was confirmed only after "
        + durationText(history.time(pdu.partner) - pdu.time),
      evidence: [
        "indication in frame \(pdu.frame), confirmation in frame \(history.frame(pdu.partner))",
        "after 30 s the transaction has failed, and the confirmation counts no more",
      ]
    )
  }
}

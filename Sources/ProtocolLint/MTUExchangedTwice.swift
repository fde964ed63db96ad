import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// MTU-001: a side exchanges the MTU twice on one bearer.
public struct MTUExchangedTwice: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "MTU-001",
    name: "mtu-exchanged-twice",
    summary: "one side sends Exchange MTU Request more than once on a link",
    rationale: """
      The MTU is agreed on once. A second exchange is answered in different ways: with the same size, with an error, \
      or with a change that the other side does not follow.
      """,
    remedy: """
      Send Exchange MTU Request once after the link is up, and keep the result.
      """,
    clause: "Core Vol 3 Part F, transaction rules: the MTU",
    needs: [.bothDirections, .noLoss, .start]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "the collector asks again after pairing",
        "asks-again",
        [
          .arrival, .exchangeMTU(185), .pair(), .marked(.attribute(from: .collector, [0x02, 0xB9, 0x00])),
          .attribute(from: .sensor, [0x03, 0xB9, 0x00]), .discoverGlucose, .subscribe(), .fetch(.all, 1...3), .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "the collector asks twice on a first link, on which the two only pair",
        "asks-again-on-first-link",
        [
          .connect(), .exchangeMTU(185), .pair(), .marked(.attribute(from: .collector, [0x02, 0xB9, 0x00])),
          .attribute(from: .sensor, [0x03, 0xB9, 0x00]), .farewell, .later(minutes: 1), .bondedReturn, .lateFetch,
        ]
      ),
      RuleExample(
        .warning,
        "the sensor asks twice",
        "sensor-asks-again",
        [
          .firstArrival, .attribute(from: .sensor, [0x02, 0xB9, 0x00]),
          .attribute(from: .collector, [0x03, 0xB9, 0x00]),
          .marked(.attribute(from: .sensor, [0x02, 0xB9, 0x00])), .attribute(from: .collector, [0x03, 0xB9, 0x00]),
          .fetch(.all, 1...3), .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "each side asks once",
        "each-once",
        [
          .arrival, .exchangeMTU(185), .attribute(from: .sensor, [0x02, 0xB9, 0x00]),
          .attribute(from: .collector, [0x03, 0xB9, 0x00]), .pair(), .discoverGlucose, .subscribe(),
          .fetch(.all, 1...3), .farewell,
        ]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    let requests = subject.exchanges.mtuRequests
    guard subject.isHealth, !requests.isEmpty else { return .notApplicable }
    if requests.count == 1 { return .pass }
    var findings: [Finding] = []
    for isReceived in [false, true] {
      let own = requests.filter { history.pdus[Int($0)].isReceived == isReceived }
      let bearers = Set(own.map { history.pdus[Int($0)].bearer })
      for bearer in bearers.sorted() {
        let same = own.filter { history.pdus[Int($0)].bearer == bearer }
        if same.count > 1 { findings.append(finding(same, history, subject)) }
      }
    }
    return findings.isEmpty ? .pass : .fail(findings)
  }

  private func finding(
    _ same: [UInt32],
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let second = history.pdus[Int(same[1])]
    return Finding(
      "MTU-001",
      .warning,
      subject.fault(of: second.isReceived ? .remote : .local),
      .certain,
      link: history.number,
      frames: same.dropFirst().map { history.frame($0) } + [history.frame(same[0])],
      time: second.time,
      key: subject.fault(of: second.isReceived ? .remote : .local).rawValue,
      message: "exchange MTU request sent \(timesText(same.count)) on one bearer, the second time "
        + "\(durationText(second.time - history.time(same[0]))) after the first",
      evidence: same.prefix(4).map { index in
        let size = history.pdus[Int(index)].valueCount >= 2 ? history.value(history.pdus[Int(index)]).u16(at: 0) : 0
        return "frame \(history.frame(index)): MTU \(size)"
      }
    )
  }
}

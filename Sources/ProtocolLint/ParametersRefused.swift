import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// CONN-006: the central refuses the peripheral's parameters again and again.
public struct ParametersRefused: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "CONN-006",
    name: "parameters-refused",
    summary: "the central refuses three or more connection parameter requests on one link",
    rationale: """
      The two sides do not find a pace both accept: the sensor goes on asking, which costs it power, and the link \
      stays at parameters it does not like.
      """,
    remedy: """
      Sensor: ask within what the phone platforms accept, and not again after a refusal. Collector: accept what lies \
      within the profile's table.
      """,
    clause: "good practice: parameters both sides accept",
    needs: [.noLoss]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "three requests, three refusals",
        "three-refusals",
        [
          .firstArrival, .updateParameters(interval: 6, isAccepted: false),
          .updateParameters(interval: 6, isAccepted: false),
          .marked(.updateParameters(interval: 6, isAccepted: false)), .fetch(.all, 1...3), .farewell,
        ]
      ),
      RuleExample(
        .note,
        "the sensor is the central and refuses three times",
        "sensor-refuses",
        [
          .connect(collectorRole: .peripheral), .exchangeMTU(185), .pair(), .discoverGlucose, .read(.feature),
          .subscribe(), .updateParameters(interval: 6, isAccepted: false),
          .updateParameters(interval: 6, isAccepted: false),
          .marked(.updateParameters(interval: 6, isAccepted: false)), .fetch(.all, 1...3), .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the first request is accepted",
        "accepted",
        [.firstArrival, .updateParameters(interval: 40), .fetch(.all, 1...3), .farewell]
      )
    ]
  }

  private static let many = 3

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard subject.isHealth else { return .notApplicable }
    var refusals: [LinkEvent] = []
    var hasAnswers = false
    for event in history.events where event.kind == .parameterResponse {
      hasAnswers = true
      if event.code != 0 { refusals.append(event) }
    }
    guard hasAnswers else { return .notApplicable }
    guard refusals.count >= Self.many else { return .pass }
    let anchor = refusals[Self.many - 1]
    return .fail([
      Finding(
        "CONN-006",
        .note,
        subject.fault(of: anchor.isReceived ? .remote : .local),
        .certain,
        link: history.number,
        frames: [anchor.frame] + refusals.map(\.frame),
        time: anchor.time,
        key: "refused",
        message: "connection parameter requests refused \(timesText(refusals.count)) on one link",
        evidence: ["the first in frame \(refusals[0].frame), the last in frame \(refusals[refusals.count - 1].frame)"]
      )
    ])
  }
}

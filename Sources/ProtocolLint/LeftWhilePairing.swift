import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// APP-007: the collector leaves while the link is being secured.
public struct LeftWhilePairing: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "APP-007",
    name: "left-while-pairing",
    summary: "the collector ends the link while pairing or encryption is under way",
    rationale: """
      Pairing waits for people: a passkey takes half a minute. An app with a shorter limit never gets past it, and the \
      sensor is left with half a bond.
      """,
    remedy: """
      Collector: let pairing take its time (the stack gives up after 30 s by itself), and end it with Pairing Failed \
      where the user cancels.
      """,
    clause: "good practice: pairing is let to come to its end",
    needs: [.noLoss, .end, .security]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "the collector goes while the passkey is typed",
        "goes-while-typing",
        [
          .arrival, .exchangeMTU(185), .discoverGlucose, .security(from: .collector, [0x01, 4, 0, 13, 16, 0, 0]),
          .security(from: .sensor, [0x02, 0, 0, 13, 16, 0, 0]), .wait(milliseconds: 4000), .marked(.disconnect()),
        ]
      ),
      RuleExample(
        .note,
        "the collector goes while the passkey is typed on a first link, on which nothing else was done",
        "goes-while-typing-on-first-link",
        [
          .connect(), .security(from: .collector, [0x01, 4, 0, 13, 16, 0, 0]),
          .security(from: .sensor, [0x02, 0, 0, 13, 16, 0, 0]), .wait(milliseconds: 4000), .marked(.disconnect()),
          .later(minutes: 1), .connect(), .pair(), .lateFetch,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "pairing comes to its end",
        "paired",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      ),
      RuleExample(
        "nobody typed the passkey, and the timer of pairing ran out",
        "timer-ran-out",
        [
          .arrival, .exchangeMTU(185), .discoverGlucose, .security(from: .collector, [0x01, 4, 0, 13, 16, 0, 0]),
          .security(from: .sensor, [0x02, 0, 0, 13, 16, 0, 0]), .wait(milliseconds: 31_000), .disconnect(),
        ]
      ).alongside("CONN-008"),
    ]
  }

  /// Microseconds after which pairing has failed by itself.
  private static let timeout: Int64 = 30_000_000

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard subject.isHealth, let last = subject.efforts.efforts.last, history.end.cause != .open else {
      return .notApplicable
    }
    guard last.endFrame == nil else { return .passWithout([.end]) }
    guard subject.departure.by == .collector else { return .pass }
    // A host may still begin what it will not end, after the order to disconnect.
    guard last.frame < subject.departure.frame else { return .pass }
    // By then the Security Manager's own timer has ended it (Core Vol 3 Part H 3.4).
    guard subject.departure.time - last.time < Self.timeout else { return .pass }
    return .fail([
      Finding(
        "APP-007",
        .note,
        .collector,
        .certain,
        link: history.number,
        frames: [subject.departure.frame, last.frame],
        time: subject.departure.time,
        key: "left",
        message:
          "left \(durationText(subject.departure.time - last.time)) after pairing or encryption began, before it "
          + "came to its end",
        evidence: ["begun in frame \(last.frame); no Pairing Failed and no Encryption Change followed"]
      )
    ])
  }
}

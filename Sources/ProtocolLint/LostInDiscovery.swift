import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// CONN-003: the link ends while the collector discovers.
public struct LostInDiscovery: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "CONN-003",
    name: "lost-in-discovery",
    summary: "the link is lost, or ended by the sensor, while a discovery request waits for its answer",
    rationale: """
      What was discovered so far is incomplete. A collector that keeps it uses a table with holes on the next link. A \
      sensor that hangs up within 5 s of the request is told of by CONN-002.
      """,
    remedy: """
      Collector: forget an incomplete discovery and begin it anew on the next link. Sensor: stay connected until the \
      collector has finished.
      """,
    clause: "good practice: a discovery is carried out to its end",
    needs: [.bothDirections, .noLoss, .end]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "the radio link is lost while characteristics are discovered",
        "link-loss",
        [
          .arrival, .exchangeMTU(185), .pair(), .askForServices(), .tellServices([.init(0x0019, 0x0024, 0x1808)]),
          .askForCharacteristics(from: 0x0019, to: 0x0024), .wait(milliseconds: 2000), .marked(.linkLoss),
        ]
      ),
      RuleExample(
        .note,
        "the first link is lost before any service is known, and the next one shows what the device is",
        "first-link-lost",
        [
          .connect(), .exchangeMTU(185), .pair(), .askForServices(), .wait(milliseconds: 2000), .marked(.linkLoss),
          .later(minutes: 1), .bondedReturn, .lateFetch,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the discovery comes to its end",
        "discovered",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard let last = subject.exchanges.discoveries.last, subject.mayBeHealth(history),
      history.end.cause != .open
    else { return .notApplicable }
    let request = history.pdus[Int(last)]
    let isOpen =
      request.partner == AttributePDU.none && request.server == subject.sensor && isLastOfItsSide(last, history)
    guard isOpen else { return .passWithout([.end]) }
    guard subject.departure.by == .linkLoss || subject.departure.by == .sensor else { return .pass }
    // That the sensor keeps no idle link is another rule's matter.
    let isHangingUp =
      subject.departure.by == .sensor && history.procedures.isEmpty
      && subject.departure.time - request.time < SensorHungUp.idle
    if isHangingUp {
      return history.sensor == nil
        ? .inconclusive("the device ended the link before the capture shows what it is") : .pass
    }
    return .fail([
      Finding(
        "CONN-003",
        .note,
        .undetermined,
        .certain,
        link: history.number,
        frames: [subject.departure.frame, request.frame],
        time: subject.departure.time,
        key: subject.departure.by == .linkLoss ? "link loss" : "sensor",
        message: (subject.departure.by == .linkLoss ? "link lost" : "link ended by the sensor")
          + " \(durationText(subject.departure.time - request.time)) after \(article(request.opcode.name)) \(request.opcode.name.lowercased()) that "
          + "was not answered",
        evidence: [
          "request in frame \(request.frame) from handle 0x\(hex(UInt64(request.handle), digits: 4))",
          "reason \(codeText(history.end.reason.rawValue)) (\(history.end.reason.name))",
        ]
      )
    ])
  }

  /// True where its side sent no other request after it.
  private func isLastOfItsSide(_ index: UInt32, _ history: borrowing LinkHistory) -> Bool {
    let isReceived = history.pdus[Int(index)].isReceived
    return !history.pdus[(Int(index) + 1)...].contains { $0.isReceived == isReceived && $0.opcode.role == .request }
  }
}

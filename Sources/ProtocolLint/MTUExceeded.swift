import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// MTU-002: a PDU is longer than the MTU.
public struct MTUExceeded: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "MTU-002",
    name: "mtu-exceeded",
    summary: "a side sends an attribute PDU that is longer than the MTU both have agreed on",
    rationale: """
      A host may drop what is longer than the MTU, or cut it: a record is lost, or is read with fields missing.
      """,
    remedy: """
      Send at most min(client MTU, server MTU) octets in a PDU, 23 before the exchange; a value that does not fit is \
      read in parts.
      """,
    clause: "Core Vol 3 Part F, transaction rules: the MTU",
    needs: [.bothDirections, .noLoss, .start]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "a response is longer than the 23 octets of a link without exchange",
        "no-exchange",
        [
          .arrival, .pair(), .discoverGlucose, .attribute(from: .collector, [0x0A, 0x03, 0x00]),
          .marked(.attribute(from: .sensor, [0x0B] + [UInt8](repeating: 0x41, count: 40))), .subscribe(),
          .fetch(.all, 1...3), .farewell,
        ]
      ),
      RuleExample(
        .error,
        "a write is longer than the 23 octets of a link without exchange",
        "long-write",
        [
          .arrival, .pair(), .discoverGlucose, .subscribe(),
          .marked(.attribute(from: .collector, [0x12, 0x03, 0x00] + [UInt8](repeating: 0x41, count: 40))), .accept,
          .fetch(.all, 1...3), .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "nothing is longer than what was agreed on",
        "within",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard subject.isHealth, !history.pdus.isEmpty else { return .notApplicable }
    let long = subject.exchanges.oversized
    if subject.hidesPDUs && !long.isEmpty {
      return .inconclusive("the logger cut packets so short that an exchange of the MTU may be among them")
    }
    if long.isEmpty {
      return subject.exchanges.hasHalfAnExchange
        ? .inconclusive("one half of an exchange of the MTU is not in the capture") : .pass
    }
    var findings: [Finding] = []
    for isReceived in [false, true] {
      let own = long.filter { history.pdus[Int($0.place)].isReceived == isReceived }
      if let first = own.first { findings.append(finding(first, own, history, subject)) }
    }
    return .fail(findings)
  }

  private func finding(
    _ first: AttributeExchanges.Oversized,
    _ all: [AttributeExchanges.Oversized],
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let pdu = history.pdus[Int(first.place)]
    let exchange = subject.exchanges.mtuRequests.last { $0 < first.place && history.pdus[Int($0)].bearer == 0 }
    return Finding(
      "MTU-002",
      .error,
      subject.fault(of: pdu.isReceived ? .remote : .local),
      .certain,
      link: history.number,
      frames: all.map { history.frame($0.place) },
      time: pdu.time,
      key: pdu.opcode.name,
      message: "\(pdu.opcode.name.lowercased()) of \(pdu.originalLength) octets on a bearer whose MTU is \(first.limit)"
        + (all.count > 1 ? ", the first of \(all.count) that are too long" : ""),
      evidence: [
        exchange.map { "the last exchange of the MTU before it began in frame \(history.frame($0))" }
          ?? "no exchange of the MTU before it: 23 octets",
        "handle 0x\(hex(UInt64(pdu.handle), digits: 4))",
      ]
    )
  }
}

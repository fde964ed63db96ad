import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// GATT-011: the control point is written by Write Command.
public struct RequestAsCommand: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "GATT-011",
    name: "request-as-command",
    summary: "the collector writes the control point with a Write Command, which the sensor cannot refuse",
    rationale: """
      A Write Command has no response: the sensor cannot say that it is busy or that a subscription is missing, and \
      the start of the procedure, from which the 30 s count, is not seen. Many sensors ignore it.
      """,
    remedy: """
      Write the control point with response: writeType .withResponse, WRITE_TYPE_DEFAULT, type "request".
      """,
    clause: "GLS table 3.1, GLS 3.4 (S4)",
    needs: [.bothDirections, .noLoss],
    explains: ["GATT-010"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "a report is asked for by Write Command and carried out",
        "command-carried-out",
        [
          .firstArrival, .marked(.writeCommand(.recordAccess, [0x01, 0x01])), .records(1...6),
          .result(.report, .success), .confirm, .farewell,
        ]
      ).alongside("GATT-002"),
      RuleExample(
        .error,
        "a report is asked for by Signed Write Command",
        "signed-command",
        [
          .firstArrival, .marked(.signedWriteCommand(.recordAccess, [0x01, 0x01])), .records(1...6),
          .result(.report, .success), .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "a Write Request",
        "request",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  /// Write Without Response and Authenticated Signed Writes in the properties (Core Vol 3 Part G 3.3.1.1).
  private static let withoutResponse: UInt8 = 0x04
  private static let signed: UInt8 = 0x40

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard !history.procedures.isEmpty else { return .notApplicable }
    let wrong = history.procedures.indices.filter { index in
      let procedure = history.procedures[index]
      guard history.pdus[Int(procedure.request)].opcode.isWriteCommand else { return false }
      let properties = history.database(procedure.server)[procedure.controlPoint]?.properties ?? 0
      // The properties of the glucose control point are fixed; those of others count only where they are known.
      if properties == 0 { return procedure.dialect == .health && subject.isGlucose }
      let isSigned = history.pdus[Int(procedure.request)].opcode == .signedWriteCommand
      return properties & (isSigned ? Self.signed : Self.withoutResponse) == 0
    }
    if wrong.isEmpty { return .pass }
    return .fail(RequestCase.grouped(wrong, subject).map { finding($0, history, subject) })
  }

  private func finding(
    _ found: RequestCase,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let index = found.procedures[0]
    let procedure = history.procedures[index]
    let properties = history.database(procedure.server)[procedure.controlPoint]?.properties ?? 0
    let opcode = history.pdus[Int(procedure.request)].opcode
    return Finding(
      "GATT-011",
      .error,
      .collector,
      // A sensor that declares other properties than those of the service may allow it.
      properties == 0 ? .likely : .certain,
      link: history.number,
      procedure: index,
      otherProcedures: Array(found.procedures.dropFirst()),
      frames: found.procedures.map { history.frame(history.procedures[$0].request) },
      time: procedure.startTime,
      key: hex(found.octets),
      message:
        "\(subject.quoted(index)) sent \(timesText(found.procedures.count)) as \(opcode.name) "
        + "(0x\(hex(UInt64(opcode.rawValue), digits: 2))) to a control point that takes Write Requests only",
      evidence: [
        properties == 0
          ? "the service allows write and indicate (0x28)" : "properties 0x\(hex(UInt64(properties), digits: 2))",
        procedure.result.map { "carried out all the same: result in frame \(history.frame($0))" }
          ?? "no result in the capture",
      ]
    )
  }
}

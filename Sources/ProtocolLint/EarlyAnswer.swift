import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-026: records or the result come before the Write Response.
public struct EarlyAnswer: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-026",
    name: "early-answer",
    summary: "the sensor sends records or the result of a request before the Write Response that accepts it",
    rationale: """
      The Write Response starts the procedure and its timer. An app that begins to listen when its write is done \
      misses what came before.
      """,
    remedy: """
      Sensor: send the Write Response first, then the first record.
      """,
    clause: "GLS 3.4.3 (S22)",
    needs: [.bothDirections, .noLoss]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "two records come before the Write Response",
        "records-before-response",
        [
          .firstArrival, .report(.all), .marked(.record(1)), .record(2), .accept, .records(3...6),
          .result(.report, .success), .confirm, .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the Write Response comes first",
        "response-first",
        [.firstArrival, .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard !history.procedures.isEmpty else { return .notApplicable }
    var early: [Int] = []
    var isDoubtful = false
    for index in history.procedures.indices where history.procedures[index].startedBeforeAnswer {
      // What an abort left in the queue may come at any time.
      let isTrailing =
        index > 0 && (history.procedures[index - 1].opCode == .abort || subject.standings[index].mayInheritRecords)
      if subject.hidesPDUs || !subject.standings[index].isClear || isTrailing
        || history.mayCrossRequest(history.procedures[index])
      {
        isDoubtful = true
      } else {
        early.append(index)
      }
    }
    if early.isEmpty { return isDoubtful ? .inconclusive("the packets may belong to another procedure") : .pass }
    return .fail(RequestCase.grouped(early, subject).map { finding($0, history, subject) })
  }

  private func finding(
    _ found: RequestCase,
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject
  ) -> Finding {
    let index = found.procedures[0]
    let procedure = history.procedures[index]
    let anchor = Self.places(procedure)[0]
    return Finding(
      "RACP-026",
      .note,
      .sensor,
      .certain,
      link: history.number,
      procedure: index,
      otherProcedures: Array(found.procedures.dropFirst()),
      frames: [history.frame(anchor)]
        + found.procedures.flatMap { Self.places(history.procedures[$0]) }.map { history.frame($0) },
      time: history.time(anchor),
      key: hex(found.octets),
      message:
        "answered \(subject.quoted(index)) \(durationText(history.time(anchor) - procedure.startTime)) after it, "
        + (procedure.answer == nil ? "and its Write Response never came" : "before its Write Response"),
      evidence: [
        "request in frame \(history.frame(procedure.request)), first record or result in frame \(history.frame(anchor))",
        procedure.answer.map { "Write Response in frame \(history.frame($0))" } ?? "no Write Response",
      ]
    )
  }

  /// The first record or result, then the request.
  private static func places(_ procedure: Procedure) -> [UInt32] {
    let first = min(procedure.firstRecord ?? .max, procedure.result ?? .max)
    return first == .max ? [procedure.request] : [first, procedure.request]
  }
}

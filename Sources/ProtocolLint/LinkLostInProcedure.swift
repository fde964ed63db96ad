import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// CONN-004: the radio link is lost while a procedure runs.
public struct LinkLostInProcedure: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "CONN-004",
    name: "link-lost-in-procedure",
    summary: "the radio link is lost while a procedure is running, so that what came is incomplete",
    rationale: """
      Nobody is at fault, but the set is incomplete whatever came of it: the next link must go on where this one \
      was broken off.
      """,
    remedy: """
      Collector: take the procedure for failed, keep the mark at the highest number without a gap, and ask from the \
      next one when the link is back.
      """,
    clause: "GLP 4.7.5 (C13)",
    needs: [.bothDirections, .noLoss, .end],
    explains: ["RACP-004", "RACP-009", "APP-003"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "the link is lost after six of twelve records",
        "lost-in-report",
        [
          .firstArrival, .ask(answer: 12), .report(.all), .accept, .records(1...6), .wait(milliseconds: 2000),
          .marked(.linkLoss),
        ]
      ),
      RuleExample(
        .note,
        "the link is lost before the result has arrived",
        "lost-with-result",
        [
          .firstArrival, .ask(answer: 12), .report(.all), .accept, .records(1...12),
          .unheard(from: .sensor, .result(.report, .success)), .wait(milliseconds: 2000), .marked(.linkLoss),
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "the link is lost when all is done",
        "lost-after-result",
        [.firstArrival, .fetch(.all, 1...6), .wait(milliseconds: 2000), .linkLoss]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard !history.procedures.isEmpty, history.end.cause != .open else { return .notApplicable }
    let lost = history.procedures.indices.filter {
      history.procedures[$0].outcome == .linkLost || isUndelivered($0, history)
    }
    guard let index = lost.first else {
      let isOpen = history.procedures.contains { $0.outcome == .captureEnded || $0.outcome == .running }
      return isOpen ? .pass : .passWithout([.end])
    }
    let procedure = history.procedures[index]
    let state =
      procedure.result == nil
      ? "while \(subject.quoted(index)) was running" : "before the result of \(subject.quoted(index)) was confirmed"
    return .fail([
      Finding(
        "CONN-004",
        .note,
        .undetermined,
        .certain,
        link: history.number,
        procedure: index,
        otherProcedures: Array(lost.dropFirst()),
        frames: [history.end.frame, history.frame(procedure.request)],
        time: history.end.time,
        key: hex(subject.requests[index].octets),
        message: "link lost (\(codeText(history.end.reason.rawValue)), \(history.end.reason.name)) "
          + state + ", after \(countText(Int(procedure.records), "record"))"
          + (procedure.sequences.maximum.map { " up to number \($0)" } ?? ""),
        evidence: [
          "request in frame \(history.frame(procedure.request)); the link was lost in frame \(history.end.frame)"
            + (procedure.result.map { ", before the result in frame \(history.frame($0)) was confirmed" } ?? ""),
          procedure.result == nil
            ? "the set is incomplete: the next request should start at the first number that did not come"
            : "a collector that has no result has an incomplete set: it should ask again from the first number that did "
              + "not come",
        ]
      )
    ])
  }

  /// True for a result that the link took with it: the sensor's host has sent it, and whether the collector's has it does
  /// not show. What the collector's host has received, or its controller has acknowledged, has come: its confirmation alone
  /// was lost.
  private func isUndelivered(_ index: Int, _ history: borrowing LinkHistory) -> Bool {
    guard history.end.isLoss, index == history.procedures.count - 1 else { return false }
    let procedure = history.procedures[index]
    guard procedure.hasUnconfirmedResult(history), let result = procedure.result else { return false }
    if history.pdus[Int(result)].isReceived || history.isAllAcknowledged { return false }
    return history.end.time - history.time(result) < ProcedureTimer.length
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-020: the Write Response to a request takes long.
public struct SlowAcceptance: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-020",
    name: "slow-acceptance",
    summary: "the sensor takes more than two seconds for the Write Response to a request",
    rationale: """
      The app shows nothing until the write is answered, and frameworks of phones give up on a write after some \
      seconds. A sensor that first searches its memory seems to hang.
      """,
    remedy: """
      Sensor: answer the write at once and search for records afterwards; the result may take its time.
      """,
    clause: "good practice; GLS 3.4.3",
    needs: [.bothDirections, .noLoss, .steadyClock]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "the Write Response takes three seconds",
        "three-seconds",
        [
          .firstArrival, .report(.all), .wait(milliseconds: 3000), .marked(.accept), .records(1...6),
          .result(.report, .success), .confirm, .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "accepted at once, the records come later",
        "at-once",
        [
          .firstArrival, .report(.all), .accept, .wait(milliseconds: 3000), .records(1...6), .result(.report, .success),
          .confirm, .farewell,
        ]
      )
    ]
  }

  /// Microseconds.
  private static let limit: Int64 = 2_000_000

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard !history.procedures.isEmpty else { return .notApplicable }
    var slow: [Int] = []
    for index in history.procedures.indices where delay(history.procedures[index], history) > Self.limit {
      slow.append(index)
    }
    if slow.isEmpty { return .pass }
    guard let listening = listening(history) else {
      return .inconclusive("the connection interval is not in the capture")
    }
    slow = slow.filter { delay(history.procedures[$0], history) > Self.limit + 2 * listening }
    if slow.isEmpty { return .pass }
    return .fail(
      RequestCase.grouped(slow, subject).map { found in
        let longest = found.procedures.map { delay(history.procedures[$0], history) }.max() ?? 0
        return found.finding(
          "RACP-020",
          .note,
          .sensor,
          .certain,
          message: "accepted \(subject.quoted(found.procedures[0])) only after \(durationText(longest))",
          evidence: [
            "request in frame \(history.frame(history.procedures[found.procedures[0]].request))",
            "the sensor listens every \(durationText(listening))",
          ],
          history
        ) { $0.answer ?? $0.request }
      }
    )
  }

  private func delay(_ procedure: Procedure, _ history: borrowing LinkHistory) -> Int64 {
    guard let answer = procedure.answer else { return 0 }
    let pdu = history.pdus[Int(answer)]
    return pdu.opcode.saysWritten ? pdu.time - procedure.startTime : 0
  }

  /// The longest time the peripheral may sleep between two events, in microseconds; nil where the capture has no
  /// parameters.
  private func listening(_ history: borrowing LinkHistory) -> Int64? {
    // A start that the logger cut has no parameters.
    var longest = history.start.flatMap {
      $0.interval == 0 ? nil : Int64($0.interval) * 1250 * (Int64($0.latency) + 1)
    }
    for event in history.events where event.kind == .connectionUpdate && event.code == 0 {
      let interval = Int64(event.value & 0xFFFF)
      let latency = Int64(event.value >> 16 & 0xFFFF)
      longest = max(longest ?? 0, interval * 1250 * (latency + 1))
    }
    return longest
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// RACP-025: the answer to a request is not a result.
public struct MalformedResult: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "RACP-025",
    name: "malformed-result",
    summary: "the sensor ends a request with octets that are no well-formed result",
    rationale: """
      A collector cannot read such an answer and waits until its timer has run out, although all records have come.
      """,
    remedy: """
      Sensor: indicate 06 00, the request's op code and the value, four octets; for a count 05 00 and the number as \
      16 bits, least significant octet first.
      """,
    clause: "GLS 3.4.3, GLS 3.4.3.2 (S20, S21)",
    needs: [.bothDirections, .noLoss, .whole],
    explains: ["RACP-004", "RACP-006", "RACP-008", "RACP-029", "RACP-032"]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "the request's op code is sent back",
        "request-echoed",
        [
          .firstArrival, .report(.all), .accept, .records(1...6), .marked(.indicate(.recordAccess, [0x01, 0x01])),
          .confirm, .farewell,
        ]
      ),
      RuleExample(
        .error,
        "the count has one octet",
        "short-count",
        [
          .firstArrival, .count(.all), .accept, .marked(.indicate(.recordAccess, [0x05, 0x00, 0x06])), .confirm,
          .fetch(.all, 1...6), .farewell,
        ]
      ),
      RuleExample(
        .error,
        "the count ends with an operator in the result, and with no records found",
        "operator-in-result",
        [
          .firstArrival, .fetch(.all, 1...6), .count(.all), .accept,
          .marked(.indicate(.recordAccess, [0x06, 0x01, 0x04, 0x06])), .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "a number and a result",
        "well-formed",
        [.firstArrival, .ask(answer: 6), .fetch(.all, 1...6), .farewell]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    var malformed: [Int] = []
    var isJudged = false
    for index in history.procedures.indices where history.procedures[index].dialect == .health {
      guard let result = history.procedures[index].result else { continue }
      isJudged = true
      let pdu = history.pdus[Int(result)]
      if pdu.isClipped || pdu.isValueDropped { continue }
      let value = history.value(pdu)
      // Nearly every result; the others are read in full.
      if value.byteCount == 4 && value.u8(at: 1) == 0 && (value.u8(at: 0) == 6 || value.u8(at: 0) == 5) { continue }
      if RecordAccessResponse(decoding: value).defect != nil { malformed.append(index) }
    }
    guard isJudged else { return .notApplicable }
    if malformed.isEmpty { return .pass }
    return .fail(
      RequestCase.grouped(malformed, subject).map { found in
        let procedure = history.procedures[found.procedures[0]]
        let octets = history.resultOctets(procedure)
        return found.finding(
          "RACP-025",
          .error,
          .sensor,
          .certain,
          key: " answered " + hex(octets),
          message: "answered \(subject.quoted(found.procedures[0])) with \(octetText(octets)), "
            + RecordAccessResponse(octets: octets).summary,
          evidence: [
            "due is 05 00 and a number of 2 octets for a count, else 06 00 \(octetText(found.octets.prefix(1))) and a value"
          ],
          history
        ) { $0.result ?? $0.request }
      }
    )
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// VAL-001: a concentration is a special value, not a number.
public struct SpecialValue: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "VAL-001",
    name: "special-value",
    summary: "a measurement has a special value instead of a concentration",
    rationale: """
      The meter says that it has no result, or none that fits. An app that decodes the word as a number shows 2047 or \
      -2048, and one that tests the mantissa alone takes ordinary readings for special ones.
      """,
    remedy: """
      Collector: compare the whole 16-bit word with 07FF, 0800, 07FE, 0802 and 0801 before it is decoded, and show such \
      a record without a value.
      """,
    clause: "GLS 3.1.1.5 (S13)",
    needs: [.bothDirections, .noLoss, .whole]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .note,
        "number 3 has no value",
        "not-a-number",
        [
          .firstArrival, .report(.all), .accept, .records(1...2),
          .marked(.changedRecord(3) { $0.sample?.concentration = .notANumber }), .records(5...6),
          .result(.report, .success), .confirm, .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "204.7 has the mantissa of a special value and is none",
        "ordinary-word",
        [
          .firstArrival, .report(.all), .accept, .records(1...2),
          .changedRecord(3) {
            $0.sample = GlucoseMeasurement.Sample(
              concentration: MedicalFloat16(word: 0xA7FF),
              type: .controlSolution,
              location: .controlSolution
            )
          }, .records(5...6), .result(.report, .success), .confirm, .farewell,
        ]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard subject.records.measurements > 0 else { return .notApplicable }
    let odd = subject.records[.specialValue]
    guard odd.count > 0 else { return .pass }
    let kinds = odd.places.compactMap { place in
      (try? GlucoseMeasurement(decoding: history.value(history.pdus[Int(place)])))?.sample?.concentration.decimalText()
    }
    let names = Set(kinds).sorted().joined(separator: ", ")
    return .fail([
      .ofRecords(
        "VAL-001",
        .note,
        .certain,
        odd,
        key: "special value",
        message:
          "sent \(countText(odd.count, "measurement")) of \(subject.records.measurements) without a number (\(names))",
        evidence: ["a special value is legal: the meter has no result to tell"],
        history
      )
    ])
  }
}

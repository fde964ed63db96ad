import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// VAL-002: a concentration lies far outside of what a meter can measure.
public struct ImplausibleUnit: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "VAL-002",
    name: "implausible-unit",
    summary: "a concentration is far outside of what a meter measures, as if it had been sent in mg/dL or mmol/L",
    rationale: """
      The value on the wire is in kg/L or mol/L. A sensor that sends the number of its display is wrong by a factor of \
      100,000 or 1,000, and an app made for it shows every other meter wrongly.
      """,
    remedy: """
      Sensor: send mg/dL with the exponent -5 and flag bit 2 clear, mmol/L with the exponent -3 (-4 with one decimal) \
      and flag bit 2 set.
      """,
    clause: "GLS 3.1.1.5 (S14)",
    needs: [.bothDirections, .noLoss, .whole]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "550 mmol/L",
        "display-value",
        [
          .firstArrival, .report(.all), .accept, .records(1...2),
          .marked(
            .changedRecord(3) {
              $0.unit = .molesPerLitre
              $0.sample?.concentration = MedicalFloat16(word: 0xD226)
            }
          ), .records(5...6), .result(.report, .success), .confirm, .farewell,
        ]
      )
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "5.5 mmol/L and 123 mg/dL with unusual exponents",
        "unusual-exponents",
        [
          .firstArrival, .report(.all), .accept, .records(1...2),
          .changedRecord(3) {
            $0.unit = .molesPerLitre
            $0.sample?.concentration = MedicalFloat16(word: 0xB226)
          }, .changedRecord(5) { $0.sample?.concentration = MedicalFloat16(word: 0xA4CE) },
          .record(6), .result(.report, .success), .confirm, .farewell,
        ]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard subject.records.measurements > 0 else { return .notApplicable }
    let odd = subject.records[.implausibleUnit]
    guard let first = odd.places.first else { return .pass }
    let measurement = try? GlucoseMeasurement(decoding: history.value(history.pdus[Int(first)]))
    let shown = measurement?.concentration.map { "\($0)" } ?? "a value"
    return .fail([
      .ofRecords(
        "VAL-002",
        .warning,
        .likely,
        odd,
        key: "unit",
        message: "sent \(countText(odd.count, "concentration")) that no meter measures, such as \(shown)",
        evidence: ["plausible are 1 to 1000 mg/dL and 0.06 to 60 mmol/L, sent as kg/L and mol/L"],
        history
      )
    ])
  }
}

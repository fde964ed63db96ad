import BluetoothWire
import HealthProfiles
import LinkTrace

/// What the two rules about the length of records share: one finding for measurements, one for contexts.
enum LengthDefects {
  static func check(
    _ history: borrowing LinkHistory,
    _ subject: borrowing LinkSubject,
    _ rule: RuleIdentifier,
    _ level: FindingLevel,
    measurements: RecordOddity,
    contexts: RecordOddity,
    message: String
  ) -> RuleOutcome {
    guard subject.records.measurements + subject.records.contexts > 0 else { return .notApplicable }
    var findings: [Finding] = []
    for (oddity, noun) in [(measurements, "measurement"), (contexts, "context")] {
      let odd = subject.records[oddity]
      guard let first = odd.places.first else { continue }
      let value = history.value(history.pdus[Int(first)])
      var lengths = "an empty value"
      if value.byteCount > 0 {
        let flags = value.u8(at: 0)
        let expected =
          noun == "context"
          ? GlucoseMeasurementContext.expectedLength(flags: flags) : GlucoseMeasurement.expectedLength(flags: flags)
        lengths = "flags \(codeText(flags)) ask for \(expected) octets, \(value.byteCount) came"
      }
      findings.append(
        .ofRecords(
          rule,
          level,
          .certain,
          odd,
          key: noun,
          message: "sent \(countText(odd.count, noun)) \(message)",
          evidence: [lengths],
          history
        )
      )
    }
    return findings.isEmpty ? .pass : .fail(findings)
  }
}

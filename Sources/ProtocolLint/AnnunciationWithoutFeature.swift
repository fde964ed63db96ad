import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// VAL-006: an annunciation bit is set that the sensor's feature does not have.
public struct AnnunciationWithoutFeature: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "VAL-006",
    name: "annunciation-without-feature",
    summary: "the sensor sets an annunciation bit whose feature it does not claim to have",
    rationale: """
      A collector ignores annunciations of features that the sensor lacks: the warning about the strip or the \
      temperature never reaches the user.
      """,
    remedy: """
      Sensor: set the feature bit of each annunciation that the firmware can raise.
      """,
    clause: "GLS 3.3.1 (S15)",
    needs: [.bothDirections, .noLoss, .whole]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .error,
        "a strip error from a meter that detects none",
        "strip-error",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .read(.feature, value: [0x01, 0x00]), .subscribe(),
          .report(.all), .accept, .records(1...2),
          .marked(.changedRecord(3) { $0.annunciation = .stripInsertionError }), .records(5...6),
          .result(.report, .success), .confirm, .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "a strip error on the second link, from a meter that had said on the first one that it detects none",
        "strip-error-later",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .read(.feature, value: [0x01, 0x00]), .subscribe(),
          .fetch(.all, 1...1), .farewell, .later(minutes: 60), .bondedArrival, .report(.atLeast(2)), .accept,
          .record(2), .marked(.changedRecord(3) { $0.annunciation = .stripInsertionError }), .records(5...6),
          .result(.report, .success), .confirm, .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "a strip error from a meter that detects it",
        "strip-error-detected",
        [
          .firstArrival, .report(.all), .accept, .records(1...2),
          .changedRecord(3) { $0.annunciation = .stripInsertionError }, .records(5...6), .result(.report, .success),
          .confirm, .farewell,
        ]
      )
    ]
  }

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    guard subject.records.measurements > 0 else { return .notApplicable }
    let met = subject.records.annunciation & ~SensorStatusAnnunciation.reserved.rawValue
    if met == 0 { return .pass }
    guard let feature = subject.feature else { return .inconclusive("the feature was not read on this link") }
    let excess = met & ~GlucoseFeature(rawValue: feature.bits).permittedAnnunciation.rawValue
    if excess == 0 { return .pass }
    let odd = records(with: excess, history)
    return .fail([
      .ofRecords(
        "VAL-006",
        .error,
        .certain,
        odd,
        key: "annunciation",
        message: "sent \(countText(odd.count, "measurement")) with an annunciation that the feature "
          + "0x\(hex(UInt64(feature.bits), digits: 4)) does not have "
          + "(\(SensorStatusAnnunciation(rawValue: excess).names.joined(separator: ", ")))",
        evidence: ["feature read in frame \(history.frame(feature.place))"],
        history
      )
    ])
  }

  private func records(with bits: UInt16, _ history: borrowing LinkHistory) -> OddRecords {
    let slots = RecordSlots(history)
    var odd = OddRecords()
    for index in history.pdus.indices {
      let pdu = history.pdus[index]
      guard Int32(pdu.attribute) == slots.measurement, pdu.opcode.role == .notification,
        let measurement = try? GlucoseMeasurement(decoding: history.value(pdu)),
        let annunciation = measurement.annunciation,
        annunciation.rawValue & bits != 0
      else { continue }
      odd.add(UInt32(index))
    }
    return odd
  }
}

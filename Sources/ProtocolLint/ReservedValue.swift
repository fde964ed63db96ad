import BluetoothWire
import HealthProfiles
public import LinkTrace
import Scenarios

/// VAL-004: a reserved bit is set, or a field has a reserved value.
public struct ReservedValue: LinkRule {
  public init() {}

  public let description = RuleDescription(
    "VAL-004",
    name: "reserved-value",
    summary: "the sensor sets a reserved bit or sends a reserved value",
    rationale: """
      Apps ignore what is reserved, so what the meter wants to tell is lost; a later version of the service may give \
      the bit another meaning. Often two fields of one octet were swapped.
      """,
    remedy: """
      Sensor: send reserved bits as 0 and only defined values; in octets with two fields the first of the table is the \
      low nibble.
      """,
    clause: "GLS 3.1.1.1, GLS 3.2.1.1, GLS 3.3.1 (S5)",
    needs: [.bothDirections, .noLoss, .whole]
  )

  public var failing: [RuleExample] {
    [
      RuleExample(
        .warning,
        "flag bit 6 of number 3",
        "reserved-flag",
        [
          .firstArrival, .report(.all), .accept, .records(1...2),
          .marked(.changedRecord(3) { $0.reservedFlags = 0x40 }), .records(5...6), .result(.report, .success), .confirm,
          .farewell,
        ]
      ),
      RuleExample(
        .warning,
        "a reserved bit of the feature",
        "reserved-feature",
        [
          .arrival, .exchangeMTU(185), .pair(), .discoverGlucose, .marked(.read(.feature, value: [0xFF, 0x0F])),
          .subscribe(), .fetch(.all, 1...6), .farewell,
        ]
      ),
    ]
  }

  public var passing: [RuleExample] {
    [
      RuleExample(
        "defined values only",
        "defined-values",
        [.firstArrival, .fetch(.all, 1...9), .farewell]
      )
    ]
  }

  private static let fields: [(oddity: RecordOddity, name: String)] = [
    (.reservedFlags, "reserved flag bits"), (.reservedAnnunciation, "reserved annunciation bits"),
    (.reservedType, "a reserved sample type"), (.reservedLocation, "a reserved sample location"),
    (.reservedExtendedFlags, "reserved extended flags"), (.reservedCarbohydrate, "a reserved carbohydrate"),
    (.reservedMeal, "a reserved meal"), (.reservedTester, "a reserved tester"),
    (.reservedHealth, "a reserved health condition"), (.reservedMedication, "a reserved medication"),
  ]

  public func check(_ history: borrowing LinkHistory, _ subject: borrowing LinkSubject) -> RuleOutcome {
    var findings: [Finding] = []
    if subject.records.hasOddities {
      for (oddity, name) in Self.fields {
        let odd = subject.records[oddity]
        guard odd.count > 0 else { continue }
        findings.append(
          .ofRecords(
            "VAL-004",
            .warning,
            .certain,
            odd,
            key: name,
            message: "sent \(countText(odd.count, "record")) with \(name)",
            evidence: ["a later version of the service may define it"],
            history
          )
        )
      }
    }
    if let feature = subject.feature, GlucoseFeature(rawValue: feature.bits).rawValue & 0xF800 != 0 {
      findings.append(featureFinding(feature, history))
    }
    if !findings.isEmpty { return .fail(findings) }
    if subject.feature == nil && history.start == nil {
      return .inconclusive("the feature may have been read before the capture, or without a name")
    }
    return subject.records.measurements + subject.records.contexts > 0 || subject.feature != nil
      ? .pass : .notApplicable
  }

  private func featureFinding(_ feature: FeatureRead, _ history: borrowing LinkHistory) -> Finding {
    let pdu = history.pdus[Int(feature.place)]
    return Finding(
      "VAL-004",
      .warning,
      .sensor,
      .certain,
      link: history.number,
      frames: [pdu.frame],
      time: pdu.time,
      key: "feature",
      message: "sent the feature 0x\(hex(UInt64(feature.bits), digits: 4)) with reserved bits",
      evidence: [GlucoseFeature(rawValue: feature.bits).names.joined(separator: ", ")]
    )
  }
}

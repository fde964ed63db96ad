import BluetoothWire
import HealthProfiles
public import LinkTrace

/// VAL-006 where the feature was read on another link: it is static for the life of the sensor (GLS 3.3.1, S17).
extension AnnunciationWithoutFeature: DeviceRule {
  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    guard device.links.count > 1, subject.isIdentified else { return .notApplicable }
    var findings: [Finding] = []
    var wasJudged = false
    for link in device.links.indices where device.links[link].feature == nil {
      let met = device.links[link].annunciated
      guard !met.isEmpty, let reader = reader(for: link, device), let feature = device.links[reader].feature else {
        continue
      }
      wasJudged = true
      let lacking =
        ~(GlucoseFeature(rawValue: feature).permittedAnnunciation.rawValue
        | SensorStatusAnnunciation.reserved.rawValue)
      let odd = met.filter { $0.bits & lacking != 0 }
      if !odd.isEmpty { findings.append(finding(odd, lacking, feature, link, reader, device)) }
    }
    return findings.isEmpty ? (wasJudged ? .pass : .notApplicable) : .fail(findings)
  }

  /// The nearest link before, else after, on which the feature was read from what may be the same firmware; nil where
  /// there is none, or where the reads differ.
  private func reader(for link: Int, _ device: borrowing DeviceHistory) -> Int? {
    let firmware = device.links[link].firmware
    let readers = device.links.indices.filter { other in
      let shown = device.links[other]
      return shown.feature != nil && (firmware == 0 || shown.firmware == 0 || shown.firmware == firmware)
    }
    let values = Set(readers.compactMap { device.links[$0].feature })
    guard values.count == 1 else { return nil }
    return readers.last { $0 < link } ?? readers.first
  }

  private func finding(
    _ odd: [(bits: UInt16, frame: UInt32)],
    _ lacking: UInt16,
    _ feature: UInt16,
    _ link: Int,
    _ reader: Int,
    _ device: borrowing DeviceHistory
  ) -> Finding {
    let firmware = device.links[link].firmware
    let isSame = firmware != 0 && firmware == device.links[reader].firmware
    let names = SensorStatusAnnunciation(rawValue: odd.reduce(0) { $0 | $1.bits } & lacking).names
    return device.finding(
      "VAL-006",
      // Another firmware may have other features.
      isSame ? .error : .warning,
      .sensor,
      isSame ? .certain : .likely,
      link: link,
      frames: odd.map(\.frame),
      others: [(reader, device.links[reader].featureFrame)],
      key: "annunciation",
      message: "sent annunciations that the feature 0x\(hex(UInt64(feature), digits: 4)), read on another link, does "
        + "not have (\(names.joined(separator: ", ")))",
      evidence: [
        "feature read in " + device.frameText(device.links[reader].featureFrame, of: reader, from: link),
        isSame ? "the firmware is the same on both links" : "whether the firmware is the same was not read",
      ]
    )
  }
}

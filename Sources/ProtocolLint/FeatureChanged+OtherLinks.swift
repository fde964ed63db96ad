import BluetoothWire
public import LinkTrace

/// VAL-008 over several links: what was read first on each.
extension FeatureChanged: DeviceRule {
  public var standsForLinks: Bool { true }

  /// A device that changes on every link is told of often enough.
  private static let limit = 16

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    var findings: [Finding] = []
    var wasJudged = false
    for links in subject.collectors {
      var before: Int?
      var firmware: UInt32 = 0
      for link in links {
        let shown = device.links[link]
        if shown.serviceChanged { before = nil }
        let isUpdated = firmware != 0 && shown.firmware != 0 && firmware != shown.firmware
        if shown.firmware != 0 { firmware = shown.firmware }
        guard let feature = shown.feature else { continue }
        if let earlier = before, let old = device.links[earlier].feature,
          subject.standings[earlier].bond == subject.standings[link].bond
        {
          wasJudged = true
          if old != feature && findings.count < Self.limit {
            findings.append(
              device.finding(
                "VAL-008",
                isUpdated ? .warning : .error,
                .sensor,
                isUpdated ? .likely : .certain,
                link: link,
                frames: [shown.featureFrame],
                others: [(earlier, device.links[earlier].featureFrame)],
                key: "feature",
                message: "the Glucose Feature is 0x\(hex(UInt64(feature), digits: 4)) and was "
                  + "0x\(hex(UInt64(old), digits: 4)), and no Service Changed was indicated",
                evidence: [
                  "read before in " + device.frameText(device.links[earlier].featureFrame, of: earlier, from: link),
                  isUpdated ? "the firmware is another one" : "no other firmware was read",
                ]
              )
            )
          }
        }
        before = link
      }
    }
    return findings.isEmpty ? (wasJudged ? .pass : .notApplicable) : .fail(findings)
  }
}

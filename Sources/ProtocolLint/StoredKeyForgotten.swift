public import LinkTrace

/// The collector's half of SEC-004: it pairs with a sensor it is bonded with and does not try the key.
extension StoredKeyRefused: DeviceRule {
  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    var findings: [Finding] = []
    var wasJudged = false
    for links in subject.collectors {
      var bonded: Int?
      for link in links {
        let security = device.links[link].security
        if let bonded, security.pairingFrame != 0 {
          if security.storedKeyFrame != 0 || security.hasBonded { wasJudged = true }
          if security.storedKeyFrame == 0 && security.hasBonded {
            findings.append(forgotten(link, bonded, device))
          }
        }
        if security.refusalFrame != 0 { bonded = nil }
        if security.hasBonded { bonded = link }
      }
    }
    // Captures that each begin with a pairing are tests of their own.
    let isSeries = findings.count { $0.level == .note } > 1
    if isSeries { findings.removeAll { $0.level == .note } }
    return findings.isEmpty ? (wasJudged ? .pass : .notApplicable) : .fail(findings)
  }

  private func forgotten(_ link: Int, _ bonded: Int, _ device: borrowing DeviceHistory) -> Finding {
    let isOtherFile = device.links[link].file != device.links[bonded].file
    let before = device.links[bonded].security.pairingFrame
    var finding = device.finding(
      "SEC-004",
      // Captures that are given together may be tests of their own, each from a fresh bond on.
      isOtherFile ? .note : .warning,
      .collector,
      isOtherFile ? .possible : .likely,
      link: link,
      frames: [device.links[link].security.pairingFrame],
      others: [(bonded, before)],
      key: "forgotten",
      message:
        "pairing begins in frame \(device.links[link].security.pairingFrame) without a try of the key that was made "
        + "\(device.frameText(before, of: bonded, from: link)): the collector has forgotten the bond; its user may have deleted it",
      evidence: [
        "the two sides bonded in \(device.frameText(before, of: bonded, from: link))",
        "no encryption with a stored key was begun on this link",
      ]
    )
    finding.isRootCause = !isOtherFile
    return finding
  }
}

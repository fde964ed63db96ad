import BluetoothWire
public import LinkTrace

/// SEC-004 over several links: the collector pairs with a sensor it is bonded with and does not try the key, or the
/// same key is refused again and again.
extension StoredKeyRefused: DeviceRule {
  public var standsForLinks: Bool { true }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    var findings: [Finding] = []
    var wasJudged = false
    for links in subject.collectors {
      findings += refused(links, device)
      var bonded: Int?
      var known: (place: Int, bonded: Int)?
      for link in links {
        let security = device.links[link].security
        if let bonded, security.pairingFrame != 0 {
          wasJudged = true
          // Whether the pairing succeeds is another matter.
          if security.storedKeyFrame == 0 {
            if let known, known.bonded == bonded {
              findings[known.place].otherLinks.append(device.reference(link))
              limit(&findings[known.place], on: link, device)
            } else {
              known = (findings.count, bonded)
              findings.append(forgotten(link, bonded, device))
            }
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
      key: "forgotten",
      message:
        "pairing begins in frame \(device.links[link].security.pairingFrame) without a try of the key that was made in "
        + "\(device.frameText(before, of: bonded, from: link)): the collector has forgotten the bond; its user may have deleted it",
      evidence: [
        "the two sides bonded in \(device.frameText(before, of: bonded, from: link))",
        "no encryption with a stored key was begun on this link",
      ]
    )
    finding.isRootCause = !isOtherFile
    limit(&finding, on: link, device)
    return finding
  }

  /// What goes wrong once the two have paired anew has another cause.
  private func limit(_ finding: inout Finding, on link: Int, _ device: borrowing DeviceHistory) {
    let frame = device.links[link].security.pairedFrame
    if frame > 0 { finding.explainsBefore[device.reference(link)] = frame }
  }

  /// One finding for the refusals of one key; a single one is that of its link.
  private func refused(_ links: [Int], _ device: borrowing DeviceHistory) -> [Finding] {
    var findings: [Finding] = []
    var group: [Int] = []
    for link in links {
      let security = device.links[link].security
      let code = group.first.map { device.links[$0].security.refusalCode } ?? security.refusalCode
      // The rule on the link says of which codes it knows what they mean.
      if security.refusalFrame != 0 && code == security.refusalCode && (code == 0x05 || code == 0x06 || code == 0x3D) {
        group.append(link)
      }
      if security.hasBonded {
        if let finding = again(group, device) { findings.append(finding) }
        group = []
      }
    }
    if let finding = again(group, device) { findings.append(finding) }
    return findings
  }

  private func again(_ links: [Int], _ device: borrowing DeviceHistory) -> Finding? {
    guard links.count > 1, let first = links.first else { return nil }
    let security = device.links[first].security
    let isSensor = security.refusalCode == 0x06
    let code = "0x" + hex([security.refusalCode])
    var finding = device.finding(
      "SEC-004",
      .warning,
      isSensor ? .sensor : .undetermined,
      .certain,
      link: first,
      frames: [security.storedKeyFrame],
      others: links.dropFirst().map { ($0, device.links[$0].security.storedKeyFrame) },
      key: code,
      message: "encryption with the stored key failed with \(codeText(security.refusalCode)) on \(links.count) links: "
        + (isSensor ? "the sensor has no key for this collector" : "the keys of the two sides do not match")
        + "; its user may have deleted the bond",
      evidence: [
        "first begun or refused in frame \(security.storedKeyFrame), last in "
          + device.frameText(
            device.links[links[links.count - 1]].security.storedKeyFrame,
            of: links[links.count - 1],
            from: first
          )
      ]
    )
    for link in links { limit(&finding, on: link, device) }
    return finding
  }
}

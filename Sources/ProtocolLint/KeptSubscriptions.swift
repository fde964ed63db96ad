import LinkTrace

/// What a bond is known to keep of a collector's subscriptions when one of its links is over, over several files.
///
/// What lies between two files is not seen: a rule that rests on this says so.
struct KeptSubscriptions {
  /// The link on which they bonded, and the last one under that bond.
  private let bonded: Int
  let link: Int
  private var stored = StoredSubscriptions()

  /// What is known after a link; nil where nothing is.
  ///
  /// - Parameter before: what was known when it began.
  init?(after link: Int, _ before: KeptSubscriptions?, _ shown: DeviceLink) {
    guard shown.facts.isSuperset(of: [.start, .end, .noLoss, .whole]), !shown.serviceChanged else { return nil }
    if shown.security.hasBonded {
      bonded = link
      self.link = link
    } else if shown.security.pairingFrame != 0 || shown.security.refusalFrame != 0 {
      return nil
    } else if let before {
      bonded = before.bonded
      stored = before.stored
      // Without the bond's key a link changes nothing that the bond keeps.
      guard shown.security.usedStoredKey else {
        self.link = before.link
        return
      }
      self.link = link
    } else {
      return nil
    }
    guard stored.take(shown.configurations) else { return nil }
  }

  /// True where a link begins with this, and its own file does not show the bond being made.
  func isOfOtherFile(than link: Int, _ device: borrowing DeviceHistory) -> Bool {
    let shown = device.links[link]
    return device.links[bonded].file != shown.file && shown.security.usedStoredKey && !shown.security.hasBonded
      && !shown.serviceChanged
  }

  /// The value of the control point's configuration.
  func controlPoint(_ procedure: DeviceProcedure) -> UInt16? {
    stored.value(of: .recordAccess, within: procedure.controlPoint...procedure.controlPoint)
  }

  /// The value of a configuration in the service of a procedure; nil where several differ.
  func value(of role: AttributeRole, _ procedure: DeviceProcedure) -> UInt16? {
    stored.value(of: role, within: procedure.members)
  }
}

extension KeptSubscriptions {
  /// What is found over several files: `judge` is asked of each link for which another file before it shows what is kept.
  static func findings(
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject,
    _ judge: (_ link: Int, _ kept: KeptSubscriptions) -> Finding?
  ) -> RuleOutcome {
    guard !device.fileNames.isEmpty, device.links.count > 1 else { return .notApplicable }
    var findings: [Finding] = []
    for links in subject.collectors {
      var kept: KeptSubscriptions?
      for link in links {
        if let kept, kept.isOfOtherFile(than: link, device), let finding = judge(link, kept) {
          findings.append(finding)
        }
        kept = KeptSubscriptions(after: link, kept, device.links[link])
      }
    }
    return findings.isEmpty ? .notApplicable : .fail(findings)
  }
}

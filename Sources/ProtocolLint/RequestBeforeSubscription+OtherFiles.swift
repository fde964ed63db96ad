import BluetoothWire
import HealthProfiles
public import LinkTrace

/// GATT-003 over several files: an earlier one shows what the bond had kept of the subscriptions.
///
/// What lies between two files is not seen: only where the sensor itself says that a subscription is missing, the earlier
/// file tells whose fault it is.
extension RequestBeforeSubscription: DeviceRule {
  public var standsForLinks: Bool { true }

  /// What a bond is known to have kept, and by which link.
  private struct Kept {
    var link: Int
    var measurement: UInt16 = 0
    var context: UInt16 = 0
    var controlPoint: UInt16 = 0
  }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    guard !device.fileNames.isEmpty, device.links.count > 1 else { return .notApplicable }
    var findings: [Finding] = []
    for links in subject.collectors {
      var kept: Kept?
      for link in links {
        let shown = device.links[link]
        if let kept, device.links[kept.link].file != shown.file, shown.security.usedStoredKey,
          !shown.security.hasBonded, shown.configurations.isEmpty, !shown.serviceChanged,
          let finding = finding(link, kept, device, subject)
        {
          findings.append(finding)
        }
        kept = Self.kept(after: link, kept, shown)
      }
    }
    return findings.isEmpty ? .notApplicable : .fail(findings)
  }

  /// What is known when a link is over.
  private static func kept(after link: Int, _ before: Kept?, _ shown: DeviceLink) -> Kept? {
    guard shown.facts.isSuperset(of: [.start, .end, .noLoss, .whole]), !shown.serviceChanged else { return nil }
    var kept = before
    if shown.security.hasBonded {
      kept = Kept(link: link)
    } else if shown.security.pairingFrame != 0 || shown.security.refusalFrame != 0 {
      return nil
    } else if !shown.security.usedStoredKey {
      return before
    }
    kept?.link = link
    guard let then = kept, let measurement = value(shown.configurations.measurement, then.measurement),
      let context = value(shown.configurations.context, then.context),
      let controlPoint = value(shown.configurations.controlPoint, then.controlPoint)
    else { return nil }
    return Kept(link: then.link, measurement: measurement, context: context, controlPoint: controlPoint)
  }

  /// What a configuration holds after a link; nil where what was written does not tell.
  private static func value(_ write: WrittenConfigurations.Write, _ before: UInt16) -> UInt16? {
    switch write {
    case .none: before
    case .value(let value): value
    case .doubtful: nil
    }
  }

  private func finding(
    _ link: Int,
    _ kept: Kept,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Finding? {
    let shown = device.links[link]
    // What was written to the configurations of two services is not told apart here.
    guard shown.procedures.allSatisfy({ $0.source == .glucose }),
      device.links[kept.link].procedures.allSatisfy({ $0.source == .glucose })
    else { return nil }
    for (place, procedure) in shown.procedures.enumerated() {
      guard case .refused(let error) = procedure.outcome, error.rawValue == 0x81 || error.rawValue == 0xFD else {
        continue
      }
      var off: RequestedSubscriptions.Places = []
      if kept.controlPoint & 2 == 0 { off.insert(.controlPoint) }
      if procedure.opCode == .report && kept.measurement & 1 == 0 { off.insert(.measurement) }
      if procedure.opCode == .report && kept.context & 1 == 0 && !shown.lacksContext
        && !device.links[kept.link].lacksContext
      {
        off.insert(.context)
      }
      if off.isEmpty { return nil }
      let step = DeviceStep(link: link, place: place)
      let repeated = shown.procedures[(place + 1)...].first { $0.opCode == procedure.opCode && $0.resultFrame != 0 }
      let isOpen = shown.endCause != .disconnected
      let first = device.frameText(device.links[kept.link].firstFrame, of: kept.link, from: link)
      return device.finding(
        "GATT-003",
        repeated != nil || isOpen || off == .context ? .warning : .error,
        .collector,
        .certain,
        link: link,
        step: step,
        frames: [procedure.requestFrame, procedure.answerFrame],
        others: [(kept.link, device.links[kept.link].firstFrame)],
        key: hex(procedure.octets),
        message: "\(subject.quoted(step)) sent with the CCCD of \(off.text) off; the sensor refused it with "
          + errorText(error),
        evidence: [
          "off at the end of the link that begins in \(first), under the same bond, and not written since",
          repeated.map { "a later request in frame \($0.requestFrame) was carried out" }
            ?? "no later request was carried out on this link",
        ]
      )
    }
    return nil
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace

/// GATT-003 over several files: an earlier one shows what the bond had kept of the subscriptions.
///
/// What lies between two files is not seen: only where the sensor itself says that a subscription is missing, the earlier
/// file tells whose fault it is.
extension RequestBeforeSubscription: DeviceRule {
  public var standsForLinks: Bool { true }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    KeptSubscriptions.findings(device, subject) { link, kept in
      device.links[link].configurations.isEmpty ? finding(link, kept, device, subject) : nil
    }
  }

  private func finding(
    _ link: Int,
    _ kept: KeptSubscriptions,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Finding? {
    let shown = device.links[link]
    for (place, procedure) in shown.procedures.enumerated() {
      guard procedure.asksForSubscription, case .refused(let error) = procedure.outcome else { continue }
      guard procedure.source == .glucose, let controlPoint = kept.controlPoint(procedure),
        let measurement = kept.value(of: .glucoseMeasurement, procedure),
        let context = kept.value(of: .glucoseContext, procedure)
      else { return nil }
      var off: RequestedSubscriptions.Places = []
      if controlPoint & 2 == 0 { off.insert(.controlPoint) }
      if procedure.opCode == .report && measurement & 1 == 0 { off.insert(.measurement) }
      if procedure.opCode == .report && context & 1 == 0 && !shown.lacksContext
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
        message: "\(subject.quoted(step)) sent while \(off.state); the sensor refused it with "
          + refusalText(error),
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

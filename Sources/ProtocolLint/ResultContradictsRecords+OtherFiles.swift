import BluetoothWire
import HealthProfiles
public import LinkTrace

/// RACP-008 over several files: an earlier one shows that the notifications of measurements were on.
///
/// Had they been turned off in between, the sensor would have had to refuse the request (GLS 3.4.4).
extension ResultContradictsRecords: DeviceRule {
  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    KeptSubscriptions.findings(device, subject) { link, kept in
      let shown = device.links[link]
      let empty = shown.procedures.indices.filter { isUnfounded($0, shown, kept) }
      return empty.first.map { finding(DeviceStep(link: link, place: $0), empty.count, kept, device, subject) }
    }
  }

  private func isUnfounded(_ place: Int, _ link: DeviceLink, _ kept: KeptSubscriptions) -> Bool {
    let procedure = link.procedures[place]
    // A single measurement on the link itself shows that they are on.
    guard procedure.dialect == .health, procedure.source == .glucose, procedure.isEmptySuccess, !procedure.isMixed,
      link.facts.contains(.start), link.endCause == .disconnected, link.received.isEmpty,
      link.procedures.allSatisfy({ $0.records == 0 }),
      link.configurations.write(to: .glucoseMeasurement, within: procedure.members) == .none,
      let value = kept.value(of: .glucoseMeasurement, procedure)
    else { return false }
    return value & 1 != 0
  }

  private func finding(
    _ step: DeviceStep,
    _ count: Int,
    _ kept: KeptSubscriptions,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Finding {
    let procedure = device.procedure(step)
    let first = device.links[kept.link].firstFrame
    return device.finding(
      "RACP-008",
      .error,
      .sensor,
      .likely,
      link: step.link,
      step: step,
      frames: [procedure.resultFrame, procedure.requestFrame],
      others: [(kept.link, first)],
      key: hex(procedure.octets) + " found none",
      message: "answered \(subject.quoted(step)) with success after 0 records, "
        + "\(durationText(procedure.endTime - procedure.startTime)) after the request"
        + (count > 1 ? ", and \(count - 1) more" : ""),
      evidence: [
        "due is 06000106 where nothing matches",
        "notifications of measurements were on at the end of the link that begins in "
          + device.frameText(first, of: kept.link, from: step.link) + ", under the same bond; had they been turned off "
          + "since, the request was to be refused",
      ]
    )
  }
}

import BluetoothWire
import HealthProfiles
public import LinkTrace

/// RACP-004 over several files: an earlier one shows that the indications of the control point were on.
///
/// Had they been turned off in between, the sensor would have had to refuse the request (GLS 3.4.4).
extension ResultMissing: DeviceRule {
  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    KeptSubscriptions.findings(device, subject) { link, kept in
      let shown = device.links[link]
      // What is sent on the link itself shows that it may be.
      guard shown.procedures.allSatisfy({ $0.resultFrame == 0 }) else { return nil }
      let owed = shown.procedures.indices.filter { isOwed($0, shown, kept) }
      return owed.first.map { finding(DeviceStep(link: link, place: $0), owed.count, kept, device, subject) }
    }
  }

  private func isOwed(_ place: Int, _ link: DeviceLink, _ kept: KeptSubscriptions) -> Bool {
    let procedure = link.procedures[place]
    let members = procedure.controlPoint...procedure.controlPoint
    guard procedure.dialect == .health, procedure.outcome == .unanswered, procedure.answerFrame != 0,
      !procedure.isMixed, !procedure.mayBeHeldUp, link.facts.contains(.whole),
      link.configurations.write(to: .recordAccess, within: members) == .none,
      let value = kept.controlPoint(procedure), value & 2 != 0
    else { return false }
    return waited(place, link) >= ProcedureTimer.limit
  }

  /// How long nothing came, up to the next request or the end of what is known of the link. Microseconds.
  private func waited(_ place: Int, _ link: DeviceLink) -> Int64 {
    let procedure = link.procedures[place]
    let next = link.procedures[(place + 1)...].first { $0.controlPoint == procedure.controlPoint }
    let isEndKnown = link.endCause == .disconnected || link.endCause == .captureEnded
    return (next?.startTime ?? (isEndKnown ? link.endTime : procedure.endTime)) - procedure.endTime
  }

  private func finding(
    _ step: DeviceStep,
    _ count: Int,
    _ kept: KeptSubscriptions,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Finding {
    let procedure = device.procedure(step)
    let waited = waited(step.place, device.links[step.link])
    let came = countText(Int(procedure.records), "record")
    let first = device.links[kept.link].firstFrame
    return device.finding(
      "RACP-004",
      .error,
      .sensor,
      .likely,
      link: step.link,
      step: step,
      frames: [procedure.requestFrame, max(procedure.lastRecordFrame, procedure.answerFrame)],
      others: [(kept.link, first)],
      key: hex(procedure.octets),
      message: "no result for \(subject.quoted(step)) in \(durationText(waited)) after "
        + (procedure.records > 0 ? "its last record (\(came))" : "its Write Response")
        + (count > 1 ? ", and for \(count - 1) more" : ""),
      evidence: [
        "accepted in frame \(procedure.answerFrame)",
        "the indications of the control point were on at the end of the link that begins in "
          + device.frameText(first, of: kept.link, from: step.link) + ", under the same bond; had they been turned off "
          + "since, the request was to be refused",
        "the link was up for \(durationText(waited)) more; the timer of the profile is 30 s",
      ]
    )
  }
}

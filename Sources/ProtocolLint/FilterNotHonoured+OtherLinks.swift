import BluetoothWire
import HealthProfiles
public import LinkTrace

/// RACP-010 over several links: what looks like a reading taken while a report ran had come on an earlier link.
extension FilterNotHonoured: DeviceRule {
  public var standsForLinks: Bool { true }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    // Where the numbers began anew, an old one may be a new reading.
    guard device.links.count > 1, device.records.restarts.isEmpty else { return .notApplicable }
    var findings: [Finding] = []
    for series in subject.numbered {
      for step in series.steps {
        let procedure = device.procedure(step)
        guard procedure.opCode == .report, !procedure.isMixed, let maximum = subject.request(step).selection?.maximum,
          subject.request(step).isWellFormed, let highest = procedure.sequences.maximum, highest > maximum,
          procedure.sequences.count(in: (maximum + 1)...max(maximum + 1, highest)) == 1,
          let record = device.records[UInt16(truncatingIfNeeded: highest)], Int(record.link) < step.link,
          subject.standings[Int(record.link)].bond == subject.standings[step.link].bond
        else { continue }
        if findings.count < 16 { findings.append(known(record, step, device, subject)) }
      }
    }
    return findings.isEmpty ? .notApplicable : .fail(findings)
  }

  private func known(
    _ record: DeviceRecord,
    _ step: DeviceStep,
    _ device: borrowing DeviceHistory,
    _ subject: borrowing DeviceSubject
  ) -> Finding {
    let procedure = device.procedure(step)
    let before = device.frameText(record.frame, of: Int(record.link), from: step.link)
    return device.finding(
      "RACP-010",
      .error,
      .sensor,
      .certain,
      link: step.link,
      step: step,
      frames: [procedure.lastRecordFrame, procedure.requestFrame],
      key: hex(subject.request(step).octets),
      message: "sent 1 of \(countText(Int(procedure.records), "record")) outside of "
        + "\(subject.quoted(step)), number \(record.sequence)",
      evidence: ["number \(record.sequence) is no new reading: it had come in \(before)"]
    )
  }
}

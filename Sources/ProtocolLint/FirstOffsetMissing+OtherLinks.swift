import HealthProfiles
public import LinkTrace

/// CLK-011 over several links: one finding for a sensor that does it on each.
extension FirstOffsetMissing: DeviceRule {
  public var standsForLinks: Bool { true }

  public func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome {
    guard device.links.count > 1 else { return .notApplicable }
    var missing: [(step: DeviceStep, number: UInt16)] = []
    var links: Set<Int> = []
    for series in subject.numbered {
      for step in series.steps {
        guard let number = device.procedure(step).numberWithoutOffset, !wasOff(step, device),
          subject.request(step).matches(sequenceNumber: UInt32(number)) != false
        else { continue }
        links.insert(step.link)
        missing.append((step, number))
      }
    }
    guard links.count > 1, let first = missing.first else { return .notApplicable }
    let frame = device.procedure(first.step).firstRecordFrame
    return .fail([
      device.finding(
        "CLK-011",
        .error,
        .sensor,
        .certain,
        link: first.step.link,
        step: first.step,
        frames: [frame],
        others: missing.dropFirst().map { ($0.step.link, device.procedure($0.step).firstRecordFrame) },
        key: "first offset",
        message: "left the Time Offset out of the first measurement of \(countText(missing.count, "report")) on "
          + "\(countText(links.count, "link")): number \(first.number) in \(subject.quoted(first.step))",
        evidence: ["flag bit 0 is clear in frame \(frame), the first measurement after the request"]
      )
    ])
  }

  /// True where measurements may have been off when a report was asked for: what it begins with may not have been sent.
  private func wasOff(_ step: DeviceStep, _ device: borrowing DeviceHistory) -> Bool {
    let procedure = device.procedure(step)
    let members = procedure.members
    switch procedure.configurations.write(to: .glucoseMeasurement, within: members) {
    case .value(let value): return value & 1 == 0
    case .doubtful: return true
    // What was turned on only later was off before.
    case .none: return device.links[step.link].configurations.write(to: .glucoseMeasurement, within: members) != .none
    }
  }
}

public import LinkTrace

/// A rule over one device's history, over links and over the files of a run: a pure function.
public protocol DeviceRule: Rule {
  /// What the packets break. `subject` carries what all device rules share and is computed once a device.
  ///
  /// The visibility facts that the description needs are those of the links a finding speaks of; for a pass, of all
  /// links with procedures or records.
  func check(_ device: borrowing DeviceHistory, _ subject: borrowing DeviceSubject) -> RuleOutcome
  /// True where its findings take the place of what the same rule says of the links by themselves.
  var standsForLinks: Bool { get }
}

extension DeviceRule {
  public var standsForLinks: Bool { false }
}

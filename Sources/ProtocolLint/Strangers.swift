public import LinkTrace

/// Links of a run whose device is not known, and what they keep the rules over several links from saying: they may be
/// those of any other device of the run.
public struct Strangers: Sendable {
  /// True where the run has any beside other links.
  var areThere = false
  /// Rules that would have had something to look at, were all links with procedures those of one device.
  var concerned: Set<RuleIdentifier> = []

  /// Devices that are put together to see what a rule would look at.
  private static let limit = 256

  public init() {}

  /// - Parameter devices: all that a capture has.
  public init(_ devices: some Collection<DeviceHistory>, rules: [any DeviceRule] = RuleRegistry.deviceRules) {
    areThere = devices.count > 1 && devices.contains { $0.key.address == nil }
    guard areThere else { return }
    let asked = devices.filter { device in device.links.contains { !$0.procedures.isEmpty } }
    guard asked.count > 1, asked.contains(where: { $0.key.address == nil }) else { return }
    for together in DeviceHistory.joined(asked.prefix(Self.limit).map { (0, $0) }) where together.links.count > 1 {
      let subject = DeviceSubject(together, asOneCollector: true)
      for rule in rules where rule.description.needs.contains(.identity) {
        if case .notApplicable = rule.check(together, subject) { continue }
        concerned.insert(rule.description.identifier)
      }
    }
  }

  /// Adds those of another capture.
  public mutating func formUnion(_ other: Strangers) {
    areThere = areThere || other.areThere
    concerned.formUnion(other.concerned)
  }
}

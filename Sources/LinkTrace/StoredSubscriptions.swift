/// What a bond keeps of a peer's Client Characteristic Configurations between its links (Core Vol 3 Part G 3.3.3.3):
/// the values last written under it, 0 where none was since they bonded.
public struct StoredSubscriptions: Sendable, Equatable {
  /// The configuration of one characteristic of a stored-record service.
  private struct Configuration: Sendable, Equatable {
    var role: AttributeRole
    var characteristic: UInt16
    var value: UInt16
  }

  private var configurations: [Configuration] = []

  /// More than a sensor with several such services has.
  private static let limit = 32

  public init() {}

  /// The value that the configurations of a kind of characteristic have; nil where they differ, and for kinds that no
  /// stored-record service has.
  ///
  /// - Parameter members: the handles among which the characteristics stand.
  public func value(of role: AttributeRole, within members: ClosedRange<UInt16> = 0...UInt16.max) -> UInt16? {
    guard Self.isKept(role) else { return nil }
    var found: UInt16?
    for configuration in configurations
    where configuration.role == role && members.contains(configuration.characteristic) {
      if let found, found != configuration.value { return nil }
      found = configuration.value
    }
    return found ?? 0
  }

  static func isKept(_ role: AttributeRole) -> Bool {
    switch role {
    case .glucoseMeasurement, .glucoseContext, .recordAccess, .otherRecords: true
    default: false
    }
  }

  /// Takes what was written on a link; false where the link does not show all of it.
  mutating func take(_ history: borrowing LinkHistory, _ sensor: Side) -> Bool {
    guard VisibilityFacts(history).isSuperset(of: [.start, .end, .noLoss, .whole]), !history.indicatesChange(sensor)
    else { return false }
    // A write to what nothing names may be one of them.
    if history.handles.contains(where: { $0.server == sensor && $0.role == .unknown && $0.writes > 0 }) { return false }
    for subscription in history.subscriptions where subscription.server == sensor {
      if subscription.role == .unknown { return false }
      guard subscription.error == 0 else { continue }
      guard Self.isKept(subscription.role) else { continue }
      if subscription.isDoubtful { return false }
      guard let characteristic = subscription.characteristic else { return false }
      guard keep(subscription.value, characteristic, subscription.role) else { return false }
    }
    return true
  }

  /// Takes what was written on a link of the bond; false where that does not tell what they hold.
  public mutating func take(_ written: WrittenConfigurations) -> Bool {
    if written.isUnplaced { return false }
    return written.configurations.allSatisfy {
      guard case .value(let value) = $0.write else { return false }
      return keep(value, $0.characteristic, $0.role)
    }
  }

  private mutating func keep(_ value: UInt16, _ characteristic: UInt16, _ role: AttributeRole) -> Bool {
    let known = configurations.firstIndex { $0.characteristic == characteristic && $0.role == role }
    if let known {
      configurations[known].value = value
      return true
    }
    guard configurations.count < Self.limit else { return false }
    configurations.append(Configuration(role: role, characteristic: characteristic, value: value))
    return true
  }
}

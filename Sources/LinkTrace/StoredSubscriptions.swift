/// What a bond keeps of a peer's Client Characteristic Configurations between its links (Core Vol 3 Part G 3.3.3.3):
/// the values last written under it, 0 where none was since they bonded.
public struct StoredSubscriptions: Sendable, Equatable {
  public var measurement: UInt16 = 0
  public var context: UInt16 = 0
  public var controlPoint: UInt16 = 0

  public init() {}

  /// The value of a characteristic's configuration; nil for others than those of the stored-record service.
  public func value(of role: AttributeRole) -> UInt16? {
    switch role {
    case .glucoseMeasurement: measurement
    case .glucoseContext: context
    case .recordAccess: controlPoint
    default: nil
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
      if subscription.isDoubtful { return false }
      switch subscription.role {
      case .glucoseMeasurement: measurement = subscription.value
      case .glucoseContext: context = subscription.value
      case .recordAccess: controlPoint = subscription.value
      default: continue
      }
    }
    return true
  }
}

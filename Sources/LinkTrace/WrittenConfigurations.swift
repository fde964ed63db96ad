/// What was written on a link, up to a moment, to the Client Characteristic Configurations of the stored-record service.
public struct WrittenConfigurations: Sendable, Equatable {
  /// What became of one of them.
  public enum Write: Sendable, Equatable {
    /// It was not written.
    case none
    /// The value that was written last and accepted.
    case value(UInt16)
    /// It was written last in a way that does not tell what it holds.
    case doubtful
  }

  public var measurement = Write.none
  public var context = Write.none
  public var controlPoint = Write.none

  public init() {}

  /// True where nothing was written.
  public var isEmpty: Bool { self == WrittenConfigurations() }

  /// Takes a write; one that was refused changes nothing.
  mutating func take(_ subscription: Subscription) {
    guard subscription.error == 0 else { return }
    let write: Write = subscription.isDoubtful ? .doubtful : .value(subscription.value)
    switch subscription.role {
    case .glucoseMeasurement: measurement = write
    case .glucoseContext: context = write
    case .recordAccess: controlPoint = write
    case .unknown: (measurement, context, controlPoint) = (.doubtful, .doubtful, .doubtful)
    default: return
    }
  }
}

/// What was written on a link, up to a moment, to the Client Characteristic Configurations of stored-record services.
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

  /// The configuration of one characteristic, by its handle: a sensor may have several of a kind.
  public struct Configuration: Sendable, Equatable {
    public var role: AttributeRole
    public var characteristic: UInt16
    public var write: Write
  }

  /// In the order of their first writes.
  public private(set) var configurations: [Configuration] = []
  /// True where something was written of which nothing tells to what it belongs: it may be any that is not written since.
  public private(set) var isUnplaced = false

  /// More than a sensor with several such services has.
  private static let limit = 32

  public init() {}

  /// True where nothing was written.
  public var isEmpty: Bool { configurations.isEmpty && !isUnplaced }

  /// What was written to the configurations of a kind of characteristic; doubtful where they differ.
  ///
  /// - Parameter members: the handles among which the characteristics stand.
  public func write(to role: AttributeRole, within members: ClosedRange<UInt16> = 0...UInt16.max) -> Write {
    var found: Write?
    for configuration in configurations
    where configuration.role == role && members.contains(configuration.characteristic) {
      if let found, found != configuration.write { return .doubtful }
      found = configuration.write
    }
    return found ?? (isUnplaced ? .doubtful : .none)
  }

  /// Takes a write; one that was refused changes nothing.
  mutating func take(_ subscription: Subscription) {
    guard subscription.error == 0 else { return }
    let isKept = StoredSubscriptions.isKept(subscription.role)
    guard isKept || subscription.role == .unknown else { return }
    guard isKept, let characteristic = subscription.characteristic else {
      for place in configurations.indices { configurations[place].write = .doubtful }
      isUnplaced = true
      return
    }
    let write: Write = subscription.isDoubtful ? .doubtful : .value(subscription.value)
    let known = configurations.firstIndex { $0.characteristic == characteristic && $0.role == subscription.role }
    if let known {
      configurations[known].write = write
    } else if configurations.count < Self.limit {
      configurations.append(Configuration(role: subscription.role, characteristic: characteristic, write: write))
    } else {
      isUnplaced = true
    }
  }
}

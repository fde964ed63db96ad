/// What a commit came to; the batch is durable when it is given.
public struct CommitReceipt: Hashable, Sendable {
  /// Records stored that were not held before, those in `conflicting` with them.
  public var stored: Int
  /// Records held before with the same content; contexts they lacked have been added.
  public var alreadyHeld: Int
  /// Records kept under a number of a new epoch that are readings an earlier epoch holds; counted in neither of the above.
  public var renumbered: Int
  /// Sequence numbers of records now held with more than one content, each kept beside the others.
  public var conflicting: [UInt16]

  public init(stored: Int, alreadyHeld: Int = 0, renumbered: Int = 0, conflicting: [UInt16] = []) {
    self.stored = stored
    self.alreadyHeld = alreadyHeld
    self.renumbered = renumbered
    self.conflicting = conflicting
  }
}

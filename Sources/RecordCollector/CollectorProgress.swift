/// How far a run is.
public struct CollectorProgress: Hashable, Sendable {
  public var step: Step
  /// Measurements received in the running report, duplicates with them.
  public var records: Int
  /// What the meter said it has, where it was asked; an estimate (GLP 4.7.3.2).
  public var total: Int?

  /// What a run is doing.
  public enum Step: String, Hashable, Sendable {
    case discovering
    case securing
    case reading
    case subscribing
    case counting
    case transferring
    /// Asking again for what a transfer left out, or whether the numbers are still the same.
    case checking
    case committing
    case deleting
    case aborting
  }

  public init(step: Step, records: Int = 0, total: Int? = nil) {
    self.step = step
    self.records = records
    self.total = total
  }
}

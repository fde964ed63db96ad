/// Where a record was delivered: on which link, in which procedure, and what became of that.
public struct DeliveryPlace: Sendable, Equatable {
  /// Index into the links of the side; nil for a row of a store.
  public var link: Int?
  /// Index of the procedure on its link; nil outside of any.
  public var procedure: Int?
  public var completion: Completion
  /// When the procedure ended, else the link, in microseconds since 1970 UTC; nil for a row of a store.
  public var time: Int64?

  /// Whether a record came in a procedure that ended with success: only then a collector may keep it (GLP 4.7.5).
  public enum Completion: UInt8, Sendable, Comparable {
    /// Its procedure is known to have ended otherwise.
    case unfinished
    /// The capture does not show how its procedure ended, or which one it was.
    case unknown
    case complete

    public static func < (left: Completion, right: Completion) -> Bool { left.rawValue < right.rawValue }
  }
}

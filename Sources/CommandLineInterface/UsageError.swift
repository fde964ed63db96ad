/// A command line that cannot be understood.
public struct UsageError: Error, Sendable, Equatable {
  /// One plain sentence without a full stop: what is wrong.
  public let message: String
  /// What to do about it, one phrase without a full stop.
  public let hint: String

  public init(_ message: String, hint: String) {
    self.message = message
    self.hint = hint
  }
}

/// A command line worth copying, and what it does.
public struct Example: Sendable, Equatable {
  /// The whole line as typed in a shell; `CommandLineTool.problems()` checks that it parses.
  public let command: String
  /// What it does, one phrase without a full stop.
  public let effect: String

  public init(_ command: String, _ effect: String) {
    self.command = command
    self.effect = effect
  }
}

public import CaptureFiles

/// Why nothing could be extracted: one phrase in lower case, and what to do instead.
public struct ExtractError: Error, Sendable, Equatable {
  public var message: String
  /// Empty where there is nothing to add.
  public var hint: String

  public init(_ message: String, hint: String = "") {
    self.message = message
    self.hint = hint
  }

  public init(_ error: CaptureError) {
    message = error.message
    hint = error.hint
  }
}

/// Why an input gives no frames at all: one plain sentence, and what to do instead.
public struct CaptureError: Error, Sendable, Equatable {
  /// What went wrong.
  public var kind: Kind
  /// One sentence about the input, beginning with its name.
  public var message: String
  /// What to do instead; empty where there is nothing to add.
  public var hint: String

  public init(_ kind: Kind, _ message: String, hint: String = "") {
    self.kind = kind
    self.message = message
    self.hint = hint
  }

  /// The ways an input can fail.
  public enum Kind: String, Sendable {
    /// It cannot be opened or read.
    case unreadable
    /// Its octets are no known capture.
    case notACapture = "not-a-capture"
    /// It was recognised, and is of a kind that is not read.
    case refused
    /// It has no octets.
    case empty
  }
}

/// Why the adapter or the meter cannot be worked with: one plain sentence, and the way out.
public struct BluetoothError: Error, Sendable, Equatable {
  public var kind: Kind
  /// One sentence.
  public var message: String
  /// What to do; empty where there is nothing to add.
  public var hint: String

  public init(_ kind: Kind, _ message: String, hint: String = "") {
    self.kind = kind
    self.message = message
    self.hint = hint
  }

  /// The ways it can fail, as the exit status tells them apart.
  public enum Kind: Sendable, Equatable {
    /// What the caller named does not exist.
    case usage
    /// A permission is missing.
    case permission
    /// There is no adapter, or it is off or gone.
    case adapter
    /// The link could not be had, or did not last: another try may help.
    case link
    /// Nobody answers under the address.
    case range
    /// Pairing or encryption failed.
    case pairing
    /// Another program has what is needed.
    case busy
    /// The user asked to stop.
    case stopped
  }
}

extension BluetoothError: CustomStringConvertible {
  public var description: String { hint.isEmpty ? message : message + " " + hint }
}

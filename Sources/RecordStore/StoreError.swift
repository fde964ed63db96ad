/// Why the store cannot do what was asked: one plain sentence, and what to do instead.
///
/// Whatever the error, nothing of the change that failed is in the store.
public struct StoreError: Error, Sendable, Equatable {
  /// What went wrong.
  public var kind: Kind
  /// One sentence, beginning with the name of the store where the file is at fault.
  public var message: String
  /// What to do instead; empty where there is nothing to add.
  public var hint: String

  public init(_ kind: Kind, _ message: String, hint: String = "") {
    self.kind = kind
    self.message = message
    self.hint = hint
  }

  /// The ways a store can fail.
  public enum Kind: Sendable, Equatable {
    /// There is no file at the path, or no folder to put one in.
    case missing
    /// The file is no SQLite database, or that of another program; it was not touched.
    case foreign
    /// A newer version of the program wrote it; it was not touched.
    case newer(version: Int)
    /// The file cannot be read, written or kept private.
    case permission
    /// Another process syncs this meter.
    case held(LockHolder?)
    /// Another process has been writing for longer than one waits.
    case busy
    /// No room is left on the disk.
    case full
    /// A read or write failed; the extended result code of SQLite, or the number of the system.
    case inputOutput(Int32)
    /// What is in the file contradicts itself.
    case corrupt
    /// A batch that would break the rules of the store: nothing of it was stored.
    case refused
    /// Another result code of SQLite.
    case other(Int32)
  }
}

extension StoreError: CustomStringConvertible {
  /// The sentence; who shows it has a hint of its own.
  public var description: String { message }
}

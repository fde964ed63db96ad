/// Something the user should know of a store that could be opened all the same.
public enum StoreNotice: Sendable, Equatable {
  /// Others could read or write a file of the store, and now cannot.
  case madePrivate(path: String)
  /// Others can read a file of the store, and that cannot be changed.
  case openToOthers(path: String)
  /// The store was brought to the version of this program.
  case migrated(from: Int, to: Int)
}

extension StoreNotice: CustomStringConvertible {
  /// One sentence.
  public var description: String {
    switch self {
    case .madePrivate(let path): "\(path) was open to other users; now only you can read it."
    case .openToOthers(let path): "\(path) can be read by other users, which cannot be changed here."
    case .migrated(let old, let new): "the store was brought from version \(old) to version \(new)."
    }
  }
}

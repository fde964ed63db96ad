import Glibc

/// Error numbers of the system as errors of a store.
enum SystemFailure {
  /// The same words as for a capture: a test holds the two tables against each other.
  static func reason(_ number: Int32) -> String {
    switch number {
    case ENOENT: "there is no such file"
    case EACCES, EPERM: "permission denied"
    case EISDIR: "it is a folder"
    case EROFS: "the file system is read-only"
    case EMFILE, ENFILE: "too many files are open"
    case ENOSPC, EDQUOT: "the disk is full"
    default: "system error \(number)"
    }
  }

  static func error(_ number: Int32, _ path: String, _ what: String) -> StoreError {
    let message = "\(path) cannot be \(what): \(reason(number))."
    switch number {
    case ENOENT, ENOTDIR: return StoreError(.missing, message, hint: "Check the path.")
    case EACCES, EPERM, EROFS, EISDIR:
      return StoreError(.permission, message, hint: "Check who owns it and its folder, or name another file.")
    case ENOSPC, EDQUOT: return StoreError(.full, message, hint: "Make room and try again; nothing was lost.")
    default:
      return StoreError(.inputOutput(number), message, hint: "Check the disk, then try again; nothing was lost.")
    }
  }
}

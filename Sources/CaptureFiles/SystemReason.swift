import Glibc

/// System error numbers in words.
enum SystemReason {
  static func text(_ number: Int32) -> String {
    switch number {
    case ENOENT: "there is no such file"
    case EACCES, EPERM: "permission denied"
    case EISDIR: "it is a directory"
    case EMFILE, ENFILE: "too many files are open"
    case ENOSPC: "the disk is full"
    default: "system error \(number)"
    }
  }
}

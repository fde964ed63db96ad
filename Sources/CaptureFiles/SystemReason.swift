import Glibc

/// System error numbers in words.
enum SystemReason {
  static func text(_ number: Int32) -> String {
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
}

import Glibc

/// Tells whether two paths name one file, whatever way they are spelled.
enum SameFile {
  static func isSame(_ one: String, _ other: String) -> Bool {
    var first = stat()
    var second = stat()
    guard unsafe stat(one, &first) == 0, unsafe stat(other, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }
}

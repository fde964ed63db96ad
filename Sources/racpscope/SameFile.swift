import Glibc

/// Tells whether two paths name one file, whatever way they are spelled.
enum SameFile {
  /// True where both name one file that is there.
  static func isSame(_ one: String, _ other: String) -> Bool {
    guard let first = identity(one), let second = identity(other) else { return false }
    return first.device == second.device && first.inode == second.inode
  }

  /// True where a file written to one path would take the place of one written to the other, whether it is there or not.
  ///
  /// What is no regular file, such as `/dev/null`, takes any number of outputs.
  static func wouldBeSame(_ one: String, _ other: String) -> Bool {
    let places = (resolved(one), resolved(other))
    let (first, second) = (identity(places.0), identity(places.1))
    if let first, let second {
      return first.isRegular && first.device == second.device && first.inode == second.inode
    }
    guard first == nil, second == nil else { return false }
    return name(places.0) == name(places.1) && isSame(folder(places.0), folder(places.1))
  }

  private static func identity(_ path: String) -> (device: dev_t, inode: ino_t, isRegular: Bool)? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return (status.st_dev, status.st_ino, status.st_mode & S_IFMT == S_IFREG)
  }

  /// Where symbolic links lead, also to a file that is not there yet.
  private static func resolved(_ path: String) -> String {
    var path = path
    for _ in 0..<Self.linkLimit {
      guard let target = target(path) else { break }
      path = target.hasPrefix("/") ? target : folder(path) + "/" + target
    }
    return path
  }

  /// Links followed before a circle is assumed (path_resolution(7)).
  private static let linkLimit = 40

  private static func target(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }

  private static func folder(_ path: String) -> String {
    guard let split = path.lastIndex(of: "/") else { return "." }
    return split == path.startIndex ? "/" : String(path[..<split])
  }

  private static func name(_ path: String) -> Substring {
    path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
  }
}

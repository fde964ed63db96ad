import Glibc

/// A file that is written beside its place and put there once it is whole: until then what was there stays.
///
/// Only its owner may read it. Where the file system can, the draft has no name until then, so that nothing of it stays
/// behind when the process is killed. What cannot be replaced, a device or a pipe, is written as it is.
public struct ReplacedFile: Sendable {
  /// Where to write.
  public let descriptor: Int32
  /// False for a device or a pipe, which is written as it is.
  public var isDraft: Bool { draft != .none }
  private let name: String
  private let place: String
  private let draft: Draft

  /// What is being written.
  private enum Draft: Hashable, Sendable {
    /// The place itself.
    case none
    /// A file without a name in this folder.
    case unnamed(folder: String)
    /// A file at this path.
    case named(String)
  }

  /// Opens a draft in the folder of `path`; the error names the path and says why it cannot be written.
  public init(path: String) throws(CaptureError) {
    name = path
    var status = stat()
    let exists = unsafe stat(path, &status) == 0
    if exists, status.st_mode & S_IFMT != S_IFREG {
      place = path
      draft = .none
      descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw Self.error(path, SystemReason.text(errno)) }
      return
    }
    if exists, unsafe access(path, W_OK) != 0 { throw Self.error(path, SystemReason.text(errno)) }
    // A link stays a link: what it points to is replaced.
    place = exists ? Self.resolved(path) : path
    let folder = Self.folder(of: place)
    let unnamed = Self.unnamed(in: folder)
    if unnamed >= 0 {
      descriptor = unnamed
      draft = .unnamed(folder: folder)
      return
    }
    guard let named = FreshFile(prefix: "\(folder)/.partial-") else {
      switch errno {
      case ENOENT: throw Self.error(path, "the folder \(folder) does not exist")
      case ENOTDIR: throw Self.error(path, "\(folder) is not a folder")
      default: throw Self.error(path, SystemReason.text(errno))
      }
    }
    descriptor = named.descriptor
    draft = .named(named.path)
  }

  /// A descriptor of a file without a name that can be given one, or -1.
  private static func unnamed(in folder: String) -> Int32 {
    // O_TMPFILE of <fcntl.h>, which is no plain constant there.
    let flags = 0o20000000 | O_DIRECTORY | O_WRONLY | O_CLOEXEC
    let descriptor = unsafe open(folder.isEmpty ? "/" : folder, flags, 0o600)
    guard descriptor >= 0, unsafe access(link(to: descriptor), F_OK) != 0 else { return descriptor }
    _ = close(descriptor)
    return -1
  }

  private static func link(to descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

  /// Ends the writing and puts the file in its place.
  public func commit() throws(CaptureError) {
    var path: String?
    var failed: Int32 = 0
    switch draft {
    case .none: break
    case .named(let named): path = named
    case .unnamed(let folder):
      do throws(SystemFailure) { path = try Self.name(descriptor, in: folder) } catch { failed = error.number }
    }
    if close(descriptor) != 0, failed == 0 { failed = errno }
    if let path, failed == 0, unsafe rename(path, place) != 0 { failed = errno }
    guard failed != 0 else { return }
    if let path { _ = unsafe unlink(path) }
    throw Self.error(name, SystemReason.text(failed))
  }

  /// An error number on its way.
  private struct SystemFailure: Error { let number: Int32 }

  /// Gives a file without a name one beside its place.
  private static func name(_ descriptor: Int32, in folder: String) throws(SystemFailure) -> String {
    for _ in 0..<64 {
      let path = "\(folder)/.partial-\(String(UInt32.random(in: .min ... .max), radix: 36))"
      if unsafe linkat(AT_FDCWD, link(to: descriptor), AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 { return path }
      if errno != EEXIST { throw SystemFailure(number: errno) }
    }
    throw SystemFailure(number: EEXIST)
  }

  /// Gives up what was written; what was at the place stays.
  public func discard() {
    _ = close(descriptor)
    if case .named(let path) = draft { _ = unsafe unlink(path) }
  }

  private static func error(_ path: String, _ reason: String) -> CaptureError {
    CaptureError(.unreadable, "\(path) cannot be written: \(reason).", hint: "Name another file.")
  }

  private static func resolved(_ path: String) -> String {
    guard let real = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(real) }
    return unsafe String(cString: real)
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "" : String(path[..<slash])
  }
}

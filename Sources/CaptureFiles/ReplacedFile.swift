import Glibc

/// A file that is written beside its place and put there once it is whole: until then what was there stays.
///
/// Only its owner may read it. What cannot be replaced, a device or a pipe, is written as it is.
public struct ReplacedFile: Sendable {
  /// Where to write.
  public let descriptor: Int32
  /// False for a device or a pipe, which is written as it is.
  public var isDraft: Bool { draft != nil }
  private let name: String
  private let place: String
  /// The path of what is being written; nil where the place itself is written.
  private let draft: String?

  /// Opens a draft in the folder of `path`; the error names the path and says why it cannot be written.
  public init(path: String) throws(CaptureError) {
    name = path
    var status = stat()
    let exists = unsafe stat(path, &status) == 0
    if exists, status.st_mode & S_IFMT != S_IFREG {
      place = path
      draft = nil
      descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw Self.error(path, SystemReason.text(errno)) }
      return
    }
    if exists, unsafe access(path, W_OK) != 0 { throw Self.error(path, SystemReason.text(errno)) }
    // A link stays a link: what it points to is replaced.
    place = exists ? Self.resolved(path) : path
    let folder = Self.folder(of: place)
    var template = Array("\(folder)/.partial-XXXXXX".utf8CString)
    descriptor = unsafe template.withUnsafeMutableBufferPointer { name in
      guard let base = name.baseAddress else { return -1 }
      return unsafe mkstemp(base)
    }
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT: throw Self.error(path, "the folder \(folder) does not exist")
      case ENOTDIR: throw Self.error(path, "\(folder) is no folder")
      default: throw Self.error(path, SystemReason.text(errno))
      }
    }
    draft = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Ends the writing and puts the file in its place.
  public func commit() throws(CaptureError) {
    var failed = close(descriptor) == 0 ? 0 : errno
    if let draft, failed == 0, unsafe rename(draft, place) != 0 { failed = errno }
    guard failed != 0 else { return }
    if let draft { _ = unsafe unlink(draft) }
    throw Self.error(name, SystemReason.text(failed))
  }

  /// Gives up what was written; what was at the place stays.
  public func discard() {
    _ = close(descriptor)
    if let draft { _ = unsafe unlink(draft) }
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

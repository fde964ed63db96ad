import Glibc

/// Octets of a file descriptor: a file, a pipe or standard input.
final class FileSource: ByteSource {
  private let descriptor: Int32
  private let closes: Bool
  private let length: Int?

  /// Standard input, left open when the source is gone.
  override init() {
    descriptor = 0
    closes = false
    length = nil
  }

  /// Opens the file at `path`; the error says why it cannot.
  init(path: String) throws(CaptureError) {
    let opened = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { throw CaptureError(.unreadable, "\(path) cannot be opened: \(SystemReason.text(errno)).") }
    let end = lseek(opened, 0, SEEK_END)
    descriptor = opened
    closes = true
    length = end >= 0 && lseek(opened, 0, SEEK_SET) == 0 && end < off_t.max ? Int(end) : nil
    super.init()
    var probe: UInt8 = 0
    guard unsafe Glibc.read(opened, &probe, 0) >= 0 else {
      throw CaptureError(.unreadable, "\(path) cannot be read: \(SystemReason.text(errno)).")
    }
  }

  deinit { if closes { close(descriptor) } }

  /// True where `path` is a pipe, a socket or a character device.
  static func isStream(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    return [S_IFIFO, S_IFSOCK, S_IFCHR].contains(status.st_mode & S_IFMT)
  }

  override var isSeekable: Bool { length != nil }

  override var size: Int? { length }

  override func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard failure == nil, let base = buffer.baseAddress else { return 0 }
    while true {
      let count = unsafe Glibc.read(descriptor, base, buffer.count)
      if count >= 0 { return count }
      if errno == EINTR { continue }
      failure = SystemReason.text(errno)
      return 0
    }
  }

  override func seek(to offset: Int) -> Bool { lseek(descriptor, off_t(offset), SEEK_SET) == off_t(offset) }
}

import CaptureFiles
import Glibc
import Reporting

/// A file without a name, in the folder for temporary files: gone with the process, whatever ends it.
///
/// Only its owner could read it.
final class UnnamedFile: Sendable {
  let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { _ = close(descriptor) }

  /// Nil where none can be made.
  static func open() -> UnnamedFile? {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    guard let file = FreshFile(prefix: "\(folder)/.racpscope-") else { return nil }
    _ = unsafe unlink(file.path)
    _ = fcntl(file.descriptor, F_SETFD, FD_CLOEXEC)
    return UnnamedFile(file.descriptor)
  }

  /// Appends the whole file; a file that cannot be read back ends the output.
  func append(to output: inout OutputBuffer) {
    var piece = [UInt8](repeating: 0, count: 65_536)
    var place = 0
    while output.isOpen {
      let count = unsafe piece.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, $0.count, place) }
      if count < 0, errno == EINTR { continue }
      if count < 0 { return output.abandon(.system(errno)) }
      guard count > 0 else { return }
      unsafe output.append(octetsOf: piece.span.bytes.extracting(0..<count))
      place += count
    }
  }
}

import Glibc

/// Writes octets to a file.
enum FileSink {
  static func write(_ octets: [UInt8], to path: String) throws(CaptureError) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw CaptureError(.unreadable, "\(path) cannot be written: \(SystemReason.text(errno)).")
    }
    var place = 0
    var failed: Int32 = 0
    while place < octets.count, failed == 0 {
      let count = unsafe octets.withUnsafeBytes { bytes in
        unsafe Glibc.write(descriptor, bytes.baseAddress?.advanced(by: place), octets.count - place)
      }
      if count > 0 {
        place += count
      } else if errno != EINTR {
        failed = errno
      }
    }
    if close(descriptor) != 0, failed == 0 { failed = errno }
    guard failed == 0 else {
      throw CaptureError(.unreadable, "\(path) cannot be written: \(SystemReason.text(failed)).")
    }
  }
}

import Glibc

/// Writes octets to a file.
enum FileSink {
  /// Replaces what is at `path` once every octet is written.
  static func write(_ octets: [UInt8], to path: String) throws(CaptureError) {
    let file = try ReplacedFile(path: path)
    var place = 0
    while place < octets.count {
      let count = unsafe octets.withUnsafeBytes { bytes in
        unsafe Glibc.write(file.descriptor, bytes.baseAddress?.advanced(by: place), octets.count - place)
      }
      if count > 0 {
        place += count
      } else if errno != EINTR {
        let reason = SystemReason.text(errno)
        file.discard()
        throw CaptureError(.unreadable, "\(path) cannot be written: \(reason).")
      }
    }
    try file.commit()
  }
}

import Glibc

/// Standard output without a buffer: a line that was written survives the process.
enum Output {
  static func line(_ text: String) {
    let octets = Array((text + "\n").utf8)
    _ = write(1, octets, octets.count)
  }
}

import Glibc

/// What the process may do beyond an ordinary user.
enum Capabilities {
  /// CAP_NET_ADMIN, by its number in the kernel.
  private static let networkAdministration: UInt64 = 12

  /// Whether the effective set holds CAP_NET_ADMIN: the process is root's, or was given it.
  static var hasNetworkAdministration: Bool { effective >> networkAdministration & 1 == 1 }

  private static var effective: UInt64 {
    let descriptor = unsafe open("/proc/self/status", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return geteuid() == 0 ? .max : 0 }
    defer { close(descriptor) }
    var octets = [UInt8](repeating: 0, count: 8192)
    let count = unsafe octets.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    let text = String(decoding: octets.prefix(max(0, count)), as: UTF8.self)
    for line in text.split(separator: "\n") where line.hasPrefix("CapEff:") {
      return UInt64(line.dropFirst(7).drop { $0 == "\t" || $0 == " " }, radix: 16) ?? 0
    }
    return 0
  }
}
